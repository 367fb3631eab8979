/** How often a random test is played: the usual share, or as often as it can be with COUNTERSIGN_THOROUGH=1. */
export const runs = (usual: number, thorough: number): number =>
  process.env.COUNTERSIGN_THOROUGH === '1' ? thorough : usual;
