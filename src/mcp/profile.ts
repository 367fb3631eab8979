/** Sets of tools: `core` fits every protocol, `two-phase` names its steps. */
export const PROFILE_NAMES = ['core', 'two-phase'] as const;

export type Profile = (typeof PROFILE_NAMES)[number];
