import type { Append, Commit, ItemQuery, ItemRow, Store, StoreContent } from '../../src/store/store.ts';

export interface OpenedStore {
  readonly store: Store & StoreContent;
  /** Closes the store and opens the same content again. */
  reopen(): Promise<Store & StoreContent>;
  /** A second connection to the same content, as another process would have it. */
  again(): Promise<Store & StoreContent>;
  dispose(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** A commit that does nothing but what is given. */
export function commitOf(commandId: string, parts: Partial<Omit<Commit, 'commandId'>>): Commit {
  return { appends: [], readSet: [], items: [], links: [], jobs: [], fences: [], commandId, ...parts };
}

export function append(stream: string, expected: number | 'any', ...bodies: string[]): Append {
  return { stream, expected, bodies };
}

export function itemRow(number: number, parts: Partial<ItemRow> = {}): ItemRow {
  return {
    id: `item-${number}`,
    number,
    list: 'main',
    kind: 'code',
    protocol: 'two-phase-commit',
    state: 'PENDING',
    category: 'QUEUED',
    title: `Item ${number}`,
    assignee: '',
    version: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    dueAt: '',
    legacy: false,
    overdueAt: '',
    failures: 0,
    ...parts,
  };
}

export function query(parts: Partial<ItemQuery> = {}): ItemQuery {
  return {
    list: undefined,
    states: [],
    categories: [],
    assignee: undefined,
    after: 0,
    limit: 1000,
    ...parts,
  };
}
