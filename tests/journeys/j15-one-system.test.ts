import type { Ports } from '../../src/engine/ports.ts';
import { dyingProcess } from '../dying-process.ts';
import { openCrew } from '../staged/crew.ts';
import { oneSystem, PHASES } from './one-system.ts';

// The store of this machine, without any server.
oneSystem('SQLite', async () => {
  const { fault, watched } = dyingProcess();
  let life = 1;
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    store: Object.assign(ports.store, { commit: watched('commit', ports.store.commit.bind(ports.store)) }),
    process: {
      get owner() {
        return `life ${life}`;
      },
      isAlive: (owner) =>
        owner.startsWith('life ') ? owner === `life ${life}` : ports.process.isAlive(owner),
    },
  });
  return {
    crew: await openCrew({ config: PHASES(), wrap }),
    dieAtWrite: () => Object.assign(fault, { at: 1, side: 'after', calls: 0, dead: false }),
    revive() {
      life += 1;
      Object.assign(fault, { at: 0, dead: false });
    },
  };
});
