import { z } from 'zod';
import { item } from '../fields.ts';
import { rolesFor, rolesPassing, STEPS, tool } from '../tool.ts';
import { verification, waitSeconds } from '../verification.ts';

/** Asks for a verification, whatever the protocol of the item (2PC-63). */
export const itemVerify = tool({
  name: 'item_verify',
  title: 'Verify an item',
  description:
    'Has the engine run the criteria on a clean checkout of the claimed commit. It decides. Still running: call again.',
  input: z.strictObject({ item, wait_seconds: waitSeconds }),
  annotations: STEPS,
  roles: [...new Set([...rolesFor('verify'), ...rolesPassing()])],
  run: (desk, { item: ref, wait_seconds: wait }, context) =>
    desk.work(async (ports, caller) => {
      const again = { tool: 'item_verify', arguments: { item: ref } };
      return verification(desk, ports, caller, { ref, wait, again }, context);
    }),
});
