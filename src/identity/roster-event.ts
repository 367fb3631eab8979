/** Who acts: as registered. `parent` is the id of the actor that answers for this one, '' when nobody does. */
export interface Registration {
  readonly id: string;
  readonly kind: 'agent' | 'human';
  readonly roles: readonly string[];
  readonly parent: string;
}

/** What a token allows. `token` is the hex SHA-256 of the token, never the token. */
export interface Issue {
  /** Public id of the token, to revoke it by. */
  readonly id: string;
  readonly actor: string;
  readonly token: string;
  /** ISO 8601 UTC, '' = never. */
  readonly expiresAt: string;
  /** Items it is good for, [] = all. */
  readonly items: readonly string[];
  /** Roles it carries, [] = all that the actor has. */
  readonly roles: readonly string[];
  /** Id of the token whose holder issued it, '' when a person did. It is never worth more than that one. */
  readonly under: string;
}

/** What happens in the stream `roster`, with one `type` per thing. */
export type RosterChange =
  | { readonly type: 'repository-opened'; readonly repository: string }
  | { readonly type: 'actor-registered'; readonly actor: Registration }
  | { readonly type: 'actor-retired'; readonly actor: string }
  | { readonly type: 'roles-changed'; readonly actor: string; readonly roles: readonly string[] }
  | ({ readonly type: 'token-issued' } & Issue)
  | { readonly type: 'token-revoked'; readonly id: string }
  | {
      readonly type: 'key-added';
      readonly keyid: string;
      readonly publicPem: string;
      readonly purpose: string;
    }
  | { readonly type: 'key-retired'; readonly keyid: string };

/** A change with its time (ISO 8601 UTC) and the id of the actor that made it. Flat, so it is plain JSON. */
export type RosterEvent = RosterChange & { readonly at: string; readonly by: string };
