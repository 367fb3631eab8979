import { EngineError } from '../../engine/engine-error.ts';
import type { Register, Run } from '../register.ts';

/** For help and completion: these begin before a command line is read, where they are the first word. */
export const serve: Register = (program, run) => {
  program
    .command('serve')
    .description('serve the store of this repository over HTTP, until a signal comes')
    .option('--port <n>', 'port, 0 for any that is free', '8137')
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--socket <path>', 'a socket for this user alone instead of a port')
    .option('--name <names...>', 'further names that requests may be addressed to')
    .option('--tls-cert <file>', 'certificate, PEM')
    .option('--tls-key <file>', 'its private key, PEM')
    .option('--behind-proxy', 'another program in front speaks TLS')
    .option('--fetch <remote>', 'look there for commits that clients speak of and that are not here yet')
    .option('--tick <seconds>', 'how often what is due is seen to', '5')
    .action(() => run(first('serve')));
};

export const connect: Register = (program, run) => {
  program
    .command('connect <url>')
    .description('have this clone work with a server: http://host:port, https://…, unix:/path')
    .option('--person <name>', 'the person who works here')
    .option('--actor <name>', 'an agent that works here')
    .option('--token-file <file>', 'its token, - for standard input')
    .action(() => run(first('connect')));
};

export const disconnect: Register = (program, run) => {
  program
    .command('disconnect')
    .description('have this clone work with its own store again')
    .action(() => run(first('disconnect')));
};

const first = (word: string): Parameters<Run>[0] => {
  return async () => {
    throw new EngineError('BAD_INPUT', `${word} has to be the first word`, `countersign ${word} --help`);
  };
};
