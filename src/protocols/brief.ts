/** What whoever takes a role is told, in the order of a day's work. Prompts and agent files are made from it (2PC-97). */
export interface RoleBrief {
  readonly role: string;
  /** One line: when somebody of this role is called. */
  readonly when: string;
  readonly rules: readonly string[];
}

/** A brief as text, under one heading. */
export function briefText({ role, when, rules }: RoleBrief): string {
  return [`You work as ${role} under Countersign. ${when}.`, '', ...rules.map((rule) => `- ${rule}`)].join(
    '\n',
  );
}
