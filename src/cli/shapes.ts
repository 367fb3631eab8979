import { Command } from 'commander';
import { COMMANDS } from './commands/index.ts';
import type { Run } from './register.ts';

/** Every command that can be run, but those that are left out by their first word. */
export async function commandShapes(leftOut: ReadonlySet<string>) {
  const program = new Command('countersign');
  const run: Run = async () => {};
  const named = COMMANDS.filter(({ name }) => !leftOut.has(name));
  for (const { load } of named) (await load())(program, run);
  return program.commands.flatMap((command) => shapesOf(command, []));
}

function shapesOf(command: Command, above: readonly string[]): readonly ReturnType<typeof shapeOf>[] {
  const words = [...above, command.name()];
  const below = command.commands.flatMap((one) => shapesOf(one, words));
  // A group does nothing by itself.
  const acts = (command as unknown as { readonly _actionHandler?: unknown })._actionHandler != null;
  return acts ? [shapeOf(command, words), ...below] : below;
}

function shapeOf(command: Command, words: readonly string[]) {
  return {
    words,
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      required: argument.required,
      many: argument.variadic,
    })),
    options: command.options.map((option) => ({
      flag: option.long ?? option.short ?? '',
      name: (option.long ?? option.short ?? '').replace(/^-+/, '').replace(/-/g, '_'),
      description: option.description,
      takes: takenBy(option),
      required: option.mandatory,
    })),
  };
}

function takenBy({ variadic, required, optional }: Command['options'][number]): 'flag' | 'value' | 'values' {
  if (variadic) return 'values';
  return required || optional ? 'value' : 'flag';
}
