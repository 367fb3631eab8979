/** What the tables and indexes of a sound store are, line by line as PostgreSQL 14 to 17 describes them. */
export const CATALOG: readonly string[] = `
column checkpoints.events bigint
column checkpoints.note text C
column checkpoints.number bigint
column events.body text C
column events.command text C
column events.hash text C
column events.position bigint
column events.stream text C
column events.version bigint
column items.assignee text C
column items.category text C
column items.due_at text C
column items.failures bigint
column items.id text C
column items.kind text C
column items.legacy boolean
column items.list text C
column items.number bigint
column items.overdue_at text C
column items.protocol text C
column items.state text C
column items.title text C
column items.updated_at text C
column items.version bigint
column jobs.available_at text C
column jobs.fence bigint
column jobs.finished boolean
column jobs.key text C
column jobs.lease_until text C
column jobs.owner text C
column jobs.payload text C
column jobs.seal text C
column jobs.topic text C
column links.kind text C
column links.source text C
column links.target text C
column log.one smallint
column log.position bigint
column meta.name text C
column meta.value text C
column migrations.applied_at text C
column migrations.digest text C
column migrations.name text C
column migrations.number bigint
column streams.hash text C
column streams.stream text C
column streams.version bigint
column tallies.category text C
column tallies.count bigint
column tallies.legacy boolean
column tallies.list text C
column tallies.protocol text C
column tallies.state text C
constraint checkpoints: PRIMARY KEY (number)
constraint events: PRIMARY KEY ("position")
constraint events: UNIQUE (stream, version)
constraint items: PRIMARY KEY (number)
constraint items: UNIQUE (id)
constraint jobs: PRIMARY KEY (topic, key)
constraint links: PRIMARY KEY (source, kind, target)
constraint log: CHECK ((one = 1))
constraint log: PRIMARY KEY (one)
constraint meta: PRIMARY KEY (name)
constraint migrations: PRIMARY KEY (number)
constraint streams: PRIMARY KEY (stream)
constraint tallies: PRIMARY KEY (list, protocol, state, category, legacy)
index checkpoints: CREATE UNIQUE INDEX checkpoints_pkey ON checkpoints USING btree (number)
index events: CREATE INDEX events_command ON events USING btree (command)
index events: CREATE UNIQUE INDEX events_pkey ON events USING btree ("position")
index events: CREATE UNIQUE INDEX events_stream_version_key ON events USING btree (stream, version)
index items: CREATE INDEX items_assignee ON items USING btree (assignee, list, state, category, number)
index items: CREATE INDEX items_board ON items USING btree (list, state, category, number)
index items: CREATE INDEX items_due ON items USING btree (due_at, number) WHERE (due_at <> ''::text)
index items: CREATE INDEX items_failing ON items USING btree (failures DESC, number) WHERE (failures > 0)
index items: CREATE INDEX items_overdue ON items USING btree (overdue_at, number) WHERE (overdue_at <> ''::text)
index items: CREATE UNIQUE INDEX items_id_key ON items USING btree (id)
index items: CREATE UNIQUE INDEX items_pkey ON items USING btree (number)
index jobs: CREATE INDEX jobs_waiting ON jobs USING btree (topic, available_at, key) WHERE (NOT finished)
index jobs: CREATE UNIQUE INDEX jobs_pkey ON jobs USING btree (topic, key)
index links: CREATE INDEX links_target ON links USING btree (target, source, kind)
index links: CREATE UNIQUE INDEX links_pkey ON links USING btree (source, kind, target)
index log: CREATE UNIQUE INDEX log_pkey ON log USING btree (one)
index meta: CREATE UNIQUE INDEX meta_pkey ON meta USING btree (name)
index migrations: CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (number)
index streams: CREATE UNIQUE INDEX streams_pkey ON streams USING btree (stream)
index tallies: CREATE UNIQUE INDEX tallies_pkey ON tallies USING btree (list, protocol, state, category, legacy)
`
  .trim()
  .split('\n');
