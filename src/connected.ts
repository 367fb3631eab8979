import type { Composition } from './engine/composition.ts';
import { EngineError } from './engine/engine-error.ts';
import type { ServerSetting } from './server-setting.ts';

/**
 * What is done on this machine in a clone that works with a server: with the store that lies here, such as that of a worker,
 * and where there is none, not at all. A store of its own would be another one than that of its commands.
 */
export function connectedTo({ url }: Pick<ServerSetting, 'url'>, composition: Composition): Composition {
  const told = async <T>(work: () => Promise<T>, hint = WHERE_IT_IS): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'NOT_INITIALISED') throw cause;
      const message = `this clone works with the server at ${url}, and has no store itself`;
      throw new EngineError('NOT_INITIALISED', message, hint, { cause });
    }
  };
  const isThere = async () => (await composition.open()).ports.store.close();
  return {
    ...composition,
    open: () => told(() => composition.open()),
    async stores() {
      const desk = await composition.stores();
      return {
        ...desk,
        state: () => told(() => desk.state()),
        migrate: (dryRun) => told(() => desk.migrate(dryRun)),
      };
    },
    async create(owner) {
      await told(isThere, ONE_OF_ITS_OWN).catch((error) => {
        // What is gone can be made anew, as without a server.
        if ((error as { code?: string }).code === 'NOT_INITIALISED') throw error;
      });
      return composition.create(owner);
    },
  };
}

const WHERE_IT_IS =
  'run it where the store is; a worker has the state folder of the store here (docs/served.md)';
const ONE_OF_ITS_OWN =
  'for a store of its own: countersign disconnect, without COUNTERSIGN_URL, and then countersign init';
