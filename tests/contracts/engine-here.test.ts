import { openSession } from '../session.ts';
import { engineContract } from './engine.ts';

engineContract('the command line in this process', async () => {
  const session = await openSession();
  return { session, close: async () => session.close() };
});
