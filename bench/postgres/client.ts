// client.ts URL NAME SECONDS: one client process on an item of its own; prints how long each transition took.
import { openPostgres } from '../../src/store/postgres/open.ts';
import { drive } from './load.ts';

const [url = '', name = '', seconds = '1'] = process.argv.slice(2);
const store = await openPostgres(url, { mode: 'open', repositoryId: '' });
await drive(store, { clients: 1, one: true, seconds: 0.2, name });
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const taken = await drive(store, { clients: 1, one: true, seconds: Number(seconds), name });
process.stdout.write(`${JSON.stringify(taken)}\n`);
await store.close();
process.stdin.destroy();
