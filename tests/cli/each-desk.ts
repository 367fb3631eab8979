import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { buildProgram, type Desk, openDesk, type Program } from './program.ts';

/** For a file of tests: the program is built once, and each test gets a desk of its own, which goes with it. */
export function eachAtADesk(begin: (desk: Desk, program: Program) => void, open = openDesk): void {
  let program: Program;
  let desk: Desk;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());
  beforeEach(() => {
    desk = open(program);
    begin(desk, program);
  });
  afterEach(() => desk.remove());
}
