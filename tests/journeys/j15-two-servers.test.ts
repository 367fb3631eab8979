import { afterAll, beforeAll } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { letSignIn, type Server, startServer, throughServer } from '../served/server.ts';
import { OWNER, type Session } from '../session.ts';
import { openCrew } from '../staged/crew.ts';
import { oneSystem, PHASES } from './one-system.ts';

// Two servers over one store, asked in turn: one in PostgreSQL, one in SQLite. A server that dies is killed by the system in the
// moment in which its write is in the store.
let program: Program;
let cluster: Cluster;
beforeAll(() => {
  program = buildProgram();
  cluster = startCluster();
});
afterAll(() => {
  cluster?.remove();
  program?.remove();
});

oneSystem('PostgreSQL with two servers', () => served(async (session) => inDatabase(session)));
oneSystem('SQLite with two servers', () => served(async () => {}));

async function inDatabase(session: Session): Promise<void> {
  const said = await session.say('', 'store', 'copy', '--to', await cluster.database(), '--use');
  if (said.code !== 0) throw new Error(said.out + said.err);
}

async function served(prepare: (session: Session) => Promise<void>) {
  const servers: Server[] = [];
  let turn = 0;
  let dies = false;
  const begin = async (session: Session) => {
    servers.splice(0, 2, await startServer(program, session), await startServer(program, session));
  };
  /** The server whose turn it is, killed as soon as it has written. */
  const killed = async (session: Session, server: Server) => {
    const count = () => session.with(({ ports }) => ports.store.eventCount());
    const before = await count();
    while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 2));
    await server.stop('SIGKILL');
  };
  const crew = await openCrew({
    config: PHASES(),
    async via(session) {
      await prepare(session);
      await letSignIn(session, OWNER);
      await begin(session);
      const asked: Pick<Server, 'url'> = {
        get url() {
          turn += 1;
          const server = servers[turn % servers.length];
          if (server === undefined) throw new Error('no server is left');
          if (dies) void killed(session, server);
          dies = false;
          return server.url;
        },
      };
      const through = throughServer(session, asked, OWNER);
      return {
        ...through,
        async text(actor, ...words) {
          const heard = !dies;
          const told = await through.text(actor, ...words);
          // Where the answer was quicker than the end of the server, whoever asked has gone as well.
          return heard ? told : { ...told, code: -1 };
        },
        close() {
          for (const server of servers) void server.stop('SIGKILL');
          session.close();
        },
      };
    },
  });
  return {
    crew,
    dieAtWrite: () => {
      dies = true;
    },
    async revive() {
      for (const server of servers) await server.stop('SIGKILL');
      await begin(crew.session);
    },
  };
}
