import type { CommandShape } from './served.ts';

type Json = { readonly [name: string]: unknown };

/** A description of the interface (OpenAPI 3.1), from the same definitions that parse command lines. */
export function openApi(version: string, shapes: readonly CommandShape[]): Json {
  const commands = shapes.map((shape) => [
    `/v1/commands/${shape.words.join('/')}`,
    { post: operation(shape) },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description:
        'Every operation of the engine. An agent shows its token (Bearer); a person shows name and passphrase (Basic). No operation takes a result: nothing is done until someone else confirms it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ token: [] }, { person: [] }],
    paths: { ...OWN_PATHS, ...Object.fromEntries(commands) },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        person: { type: 'http', scheme: 'basic' },
      },
      schemas: { Answer: ANSWER, Frame: FRAME, Asked: ASKED },
    },
  };
}

function operation({ words, description, arguments: args, options }: CommandShape): Json {
  const properties = Object.fromEntries([
    ...args.map(({ name, many }) => [name, many ? TEXTS : TEXT]),
    ...options.map(({ name, description: says, takes }) => [name, { ...TYPES[takes], description: says }]),
  ]);
  const required = [...args, ...options].filter((one) => one.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
  return {
    operationId: words.join('_'),
    summary: description,
    parameters: [KEY],
    requestBody: { required: required.length > 0, content: { 'application/json': { schema } } },
    responses: ANSWERS,
  };
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const TYPES = { flag: { type: 'boolean' }, value: { type: ['string', 'number'] }, values: TEXTS } as const;

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A request of the same key is applied once; sent again, it is answered with the first answer.',
  schema: { type: 'string', maxLength: 200 },
};

const ANSWER = {
  type: 'object',
  required: ['schema', 'ok'],
  properties: {
    schema: { const: 'countersign/cli/1' },
    ok: { type: 'boolean' },
    data: { type: 'object' },
    error: {
      type: 'object',
      required: ['code', 'message', 'hint'],
      properties: { code: TEXT, message: TEXT, hint: { type: 'string', description: 'the next step' } },
    },
    files: {
      type: 'object',
      additionalProperties: { type: 'string', contentEncoding: 'base64' },
      description: 'what the command wrote, by the paths that were named: the client keeps it',
    },
    token: {
      type: 'object',
      required: ['actor', 'token'],
      properties: { actor: TEXT, token: TEXT },
      description: 'a token that was minted: it is told once, and kept nowhere',
    },
  },
};

const said = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
});

const ANSWERS = {
  200: said('done'),
  400: said('the body does not fit'),
  401: said('nothing shows who calls'),
  403: said('whoever calls may not'),
  404: said('there is no such item'),
  409: said('refused: a gate is closed, checks are red, or the state is another one'),
  413: said('too large'),
  429: said('too often'),
  503: said('the store, git or the machine does not answer'),
};

const FRAME = {
  description: 'One line of an answer; the last one is exit, and where it is missing the answer was cut off.',
  oneOf: ['out', 'err', 'file', 'token', 'ask', 'exit'].map((name) => ({ type: 'object', required: [name] })),
};

const ASKED = {
  type: 'object',
  required: ['words'],
  additionalProperties: false,
  properties: {
    words: { ...TEXTS, description: 'the words of a command line, without the program' },
    cwd: { type: 'string', description: 'the folder of the client, where it is one of the same repository' },
    folder: {
      type: 'string',
      description: 'the number of that folder and when it was made, as INODE.NANOSECONDS',
    },
    head: { type: 'string', description: 'the commit of HEAD there' },
    session: TEXT,
    interactive: { type: 'boolean' },
    color: { type: 'boolean' },
    reached: TEXTS,
    files: { type: 'object', additionalProperties: { type: 'string', contentEncoding: 'base64' } },
  },
};

const OWN_PATHS = {
  '/v1/commands': {
    post: {
      operationId: 'command_line',
      summary: 'a command line, answered piece by piece',
      parameters: [KEY],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Asked' } } },
      },
      responses: {
        200: {
          description: 'lines of JSON',
          content: { 'application/x-ndjson': { schema: { $ref: '#/components/schemas/Frame' } } },
        },
      },
    },
  },
  '/v1/events': {
    get: {
      operationId: 'events',
      summary: 'the log from a position on, as server-sent events, without gaps or repeats',
      parameters: [
        { name: 'after', in: 'query', schema: { type: 'integer', minimum: 0 } },
        { name: 'Last-Event-ID', in: 'header', schema: { type: 'integer', minimum: 0 } },
      ],
      responses: { 200: { description: 'events', content: { 'text/event-stream': {} } } },
    },
  },
  '/mcp/{profile}': {
    post: {
      operationId: 'mcp',
      summary: 'MCP over Streamable HTTP, in both generations',
      parameters: [{ name: 'profile', in: 'path', required: true, schema: TEXT }],
      responses: { 200: { description: 'an answer of MCP' } },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics_text',
      summary: 'counts of this server, for Prometheus',
      responses: { 200: { description: 'text format 0.0.4' } },
    },
  },
  ...Object.fromEntries(
    (['health', 'ready'] as const).map((name) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          summary: name === 'health' ? 'the process answers' : 'the store answers',
          security: [],
          responses: { 200: { description: 'yes' } },
        },
      },
    ]),
  ),
};
