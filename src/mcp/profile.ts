/** Sets of tools: `core` fits every protocol, each of the others names the steps of its own. */
export const PROFILE_NAMES = ['core', 'two-phase', 'lifecycle', 'goals', 'staged', 'phases'] as const;

export type Profile = (typeof PROFILE_NAMES)[number];
