import { buildProgram } from '../cli/program.ts';
import { letSignIn, startServer, throughServer } from '../served/server.ts';
import { OWNER, openSession } from '../session.ts';
import { engineContract } from './engine.ts';

engineContract('a server over HTTP', async () => {
  const program = buildProgram();
  const session = await openSession();
  await letSignIn(session, OWNER);
  const server = await startServer(program, session);
  return {
    session: throughServer(session, server, OWNER),
    async close() {
      await server.stop();
      program.remove();
      session.close();
    },
  };
});
