import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { shortSchema } from '../../../src/mcp/short-schema.ts';
import { text } from './contents.ts';

type Asking = CallToolResult | InputRequiredResult;
type Run = (request: ServerContext['mcpReq']) => Asking | Promise<Asking>;

/** What a tool gives the client to bring back cannot be altered there. */
export const states = createRequestStateCodec<{ round: number; name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** The tools that ask the client for more before they answer (SEP-2322), by the names that the suite calls. */
export function registerAskingTools(server: McpServer): void {
  for (const [name, run] of Object.entries(TOOLS))
    server.registerTool(name, { description: name, inputSchema: NOTHING }, (_, { mcpReq }) => run(mcpReq));
}

const NOTHING = shortSchema(z.object({}));

/** A form with one field. */
export const form = (message: string, field: string, asked: Field = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: asked }, required: [field] },
  });

type Field = { readonly type: 'string' } | { readonly type: 'boolean' };

const sample = (said: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(said) }], maxTokens: 100 });

/** What was filled into a field of a form, where it was. */
export const filled = (request: ServerContext['mcpReq'], key: string, field: string): unknown =>
  acceptedContent<Record<string, unknown>>(request.inputResponses, key)?.[field];

const sampled = ({ inputResponses }: ServerContext['mcpReq'], key: string): string | undefined =>
  (inputResponses?.[key] as { content?: { text?: string } } | undefined)?.content?.text;

const rootsIn = ({ inputResponses }: ServerContext['mcpReq']): readonly { uri?: string }[] | undefined =>
  (inputResponses?.client_roots as { roots?: { uri?: string }[] } | undefined)?.roots;

const said = (words: string): CallToolResult => ({ content: [text(words)] });

const TOOLS: Record<string, Run> = {
  test_missing_capability: (request) =>
    sampled(request, 'answer') === undefined
      ? inputRequired({ inputRequests: { answer: sample('Reply with the single word: pong') } })
      : said('answered'),
  test_input_required_result_elicitation(request) {
    const name = filled(request, 'user_name', 'name');
    return typeof name === 'string'
      ? said(`Hello, ${name}!`)
      : inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  },
  test_input_required_result_sampling(request) {
    const answer = sampled(request, 'capital_question');
    return answer === undefined
      ? inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
      : said(answer);
  },
  test_input_required_result_list_roots(request) {
    const roots = rootsIn(request);
    return roots === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : said(roots.map(({ uri }) => uri).join(', '));
  },
  test_input_required_result_request_state: (request) => confirmed(request, 'state-ok'),
  test_input_required_result_tampered_state: (request) => confirmed(request, 'integrity-ok'),
  async test_input_required_result_multiple_inputs(request) {
    const name = filled(request, 'user_name', 'name');
    const greeting = sampled(request, 'greeting');
    const roots = rootsIn(request);
    if (typeof name === 'string' && greeting !== undefined && roots !== undefined)
      return said(`${greeting} ${name}, of ${roots.length} roots`);
    return inputRequired({ inputRequests: everything(), requestState: await states.mint({ round: 1 }) });
  },
  async test_input_required_result_multi_round(request) {
    const { round = 0, name } = request.requestState<{ round: number; name?: string }>() ?? {};
    if (round === 0)
      return inputRequired({
        inputRequests: { step1: form('Step 1: What is your name?', 'name') },
        requestState: await states.mint({ round: 1 }),
      });
    if (round === 1)
      return inputRequired({
        inputRequests: { step2: form('Step 2: What is your favorite color?', 'color') },
        requestState: await states.mint({ round: 2, name: String(filled(request, 'step1', 'name')) }),
      });
    return said(`${name} likes ${String(filled(request, 'step2', 'color'))}`);
  },
  test_input_required_result_capabilities(request) {
    if (request.inputResponses !== undefined) return said('answered');
    const declared = (request.envelope as Declared | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const { user_name, greeting, client_roots } = everything();
    const inputRequests: InputRequests = {
      ...(declared?.elicitation !== undefined && { user_name }),
      ...(declared?.sampling !== undefined && { greeting }),
      ...(declared?.roots !== undefined && { client_roots }),
    };
    return Object.keys(inputRequests).length === 0 ? said('nothing') : inputRequired({ inputRequests });
  },
};

type Declared = { readonly [CLIENT_CAPABILITIES_META_KEY]?: Readonly<Record<string, unknown>> };

const everything = () => ({
  user_name: form('What is your name?', 'name'),
  greeting: sample('Generate a greeting'),
  client_roots: inputRequired.listRoots(),
});

/** Done once the client has confirmed, and has brought back what it was given. */
async function confirmed(request: ServerContext['mcpReq'], words: string): Promise<Asking> {
  const isConfirmed = filled(request, 'confirm', 'ok') !== undefined;
  if (isConfirmed && request.requestState() !== undefined) return said(words);
  return inputRequired({
    inputRequests: { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
    requestState: await states.mint({ round: 1 }),
  });
}
