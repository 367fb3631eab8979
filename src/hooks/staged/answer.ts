import { type Answer, context, SILENT } from '../answer.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import { staged as prompt } from './prompt.ts';
import { ownership } from './report.ts';
import { asked } from './standing.ts';
import { staged as stop } from './stop.ts';
import { staged as tool } from './tool.ts';

/** What tasks in stages have to say of a moment, beside what was said already. Loaded only where one is open. */
export async function stagedAnswer(moment: Moment, around: Surroundings, said: Answer): Promise<Answer> {
  switch (moment.event) {
    case 'SessionStart': {
      const lines = await asked(around, (opened) => ownership(opened, moment, around));
      const before = said.kind === 'context' ? [said.text] : [];
      return lines.length === 0 ? said : context([...before, ...lines].join('\n'));
    }
    case 'UserPromptSubmit':
      // What an agent is given as its prompt was written by another agent.
      return moment.agent === '' ? asked(around, (opened) => prompt(opened, moment, around)) : SILENT;
    case 'PreToolUse':
      return tool(moment, around);
    case 'Stop':
      return moment.awaited > 0 ? SILENT : asked(around, (opened) => stop(opened, moment, around));
    default:
      return said;
  }
}
