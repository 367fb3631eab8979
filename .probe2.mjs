var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// src/kernel/counters.ts
function counterKey(table, name, state) {
  return table[name]?.per === "state" ? `${name}@${state}` : name;
}
function countOf(table, counts, name, state) {
  return counts[counterKey(table, name, state)] ?? 0;
}
function applyCounts(table, counts, rules, here, previous2) {
  const next = { ...counts };
  for (const rule of rules) applyRule(table, next, rule, here, previous2);
  return next;
}
function applyRule(table, next, rule, here, previous2) {
  if (rule.startsWith("0*")) {
    const name = rule.slice(2);
    for (const key of Object.keys(next)) if (key === name || key.startsWith(`${name}@`)) delete next[key];
    return;
  }
  if (rule.startsWith("0^")) delete next[counterKey(table, rule.slice(2), previous2)];
  else if (rule.startsWith("0")) delete next[counterKey(table, rule.slice(1), here)];
  else {
    const name = rule.slice(1);
    const key = counterKey(table, name, here);
    next[key] = Math.min((next[key] ?? 0) + 1, table[name]?.limit ?? Number.MAX_SAFE_INTEGER);
  }
}
var init_counters = __esm({
  "src/kernel/counters.ts"() {
    "use strict";
  }
});

// src/kernel/own.ts
function own(record2, name) {
  return Object.hasOwn(record2, name) ? record2[name] : void 0;
}
var init_own = __esm({
  "src/kernel/own.ts"() {
    "use strict";
  }
});

// src/kernel/work-item.ts
var UNOPENED;
var init_work_item = __esm({
  "src/kernel/work-item.ts"() {
    "use strict";
    UNOPENED = {
      protocol: { name: "", version: "", digest: "" },
      state: "",
      previous: "",
      enteredAt: "",
      version: 0,
      attempt: 1,
      number: 0,
      list: "",
      kind: "",
      title: "",
      settings: {},
      legacy: false,
      facts: {},
      openedAt: "",
      openedBy: "",
      counters: {},
      marks: {},
      evidence: [],
      subjects: {},
      members: {},
      steps: [],
      elapsed: [],
      links: []
    };
  }
});

// src/kernel/evolve.ts
function evolve(protocol, item, event) {
  const next = { ...item, version: item.version + 1 };
  switch (event.type) {
    case "opened":
      return opened(protocol, event);
    case "moved":
      return moved(protocol, next, event);
    case "recorded":
      return recorded(protocol, next, event);
    case "subject-moved":
      return { ...next, subjects: moveSubject(next, event.subject, event.digest) };
    case "noted":
      return noted(next, event);
    case "elapsed":
      return { ...next, elapsed: [...next.elapsed, event.percent] };
    case "linked":
      return { ...next, links: [...next.links, event] };
  }
}
function fold(protocol, events) {
  return events.reduce((item, event) => evolve(protocol, item, event), UNOPENED);
}
function opened(protocol, e) {
  const subjects = Object.fromEntries(
    Object.keys(protocol.subjects).map((s) => [s, { digest: "", generation: 0 }])
  );
  const { protocol: ref, state, number, list, kind, title, settings, legacy, facts } = e;
  const common = { number, list, kind, title, settings, legacy, facts, subjects };
  return {
    ...UNOPENED,
    ...common,
    protocol: ref,
    state,
    previous: state,
    enteredAt: e.at,
    openedAt: e.at,
    openedBy: e.by,
    version: 1
  };
}
function moveSubject(item, name, digest) {
  const old = own(item.subjects, name) ?? { digest: "", generation: 0 };
  return { ...item.subjects, [name]: { digest, generation: old.generation + 1 } };
}
function addMark(marks, mark, ids) {
  return { ...marks, [mark]: [.../* @__PURE__ */ new Set([...own(marks, mark) ?? [], ...ids])].sort() };
}
function moved(protocol, item, e) {
  const row = protocol.rows[e.row];
  const staying = e.from === e.to;
  const escalated3 = protocol.states[e.from]?.category === "ESCALATED";
  const step = {
    command: e.command,
    from: e.from,
    to: e.to,
    by: e.by,
    at: e.at,
    attempt: item.attempt,
    reason: e.reason,
    arguments: e.arguments,
    facts: e.facts,
    override: row?.override ?? false
  };
  const next = {
    ...item,
    state: e.to,
    previous: escalated3 || staying ? item.previous : e.from,
    enteredAt: staying ? item.enteredAt : e.at,
    elapsed: staying ? item.elapsed : [],
    steps: [...item.steps, step]
  };
  return row === void 0 ? next : applyRow(protocol, next, row, e, item.previous);
}
function applyRow(protocol, item, row, e, previous2) {
  let next = {
    ...item,
    counters: applyCounts(protocol.counters, item.counters, row.counts, e.origin, previous2)
  };
  if (row.attempt) next = newAttempt(next);
  next = forget(next, row.forgets);
  for (const name of row.moves) next = { ...next, subjects: moveSubject(next, name, e.subjects[name] ?? "") };
  if (row.as !== "") next = { ...next, marks: addMark(next.marks, row.as, [e.by]) };
  for (const [mark, argument] of Object.entries(row.names)) {
    next = { ...next, marks: addMark(next.marks, mark, namesIn(own(e.arguments, argument) ?? "")) };
  }
  for (const record2 of row.records) next = withRecord(next, record2, e);
  return next;
}
function newAttempt(item) {
  let next = { ...item, attempt: item.attempt + 1 };
  for (const name of Object.keys(item.subjects)) next = { ...next, subjects: moveSubject(next, name, "") };
  return next;
}
function forget(item, names) {
  if (names.length === 0) return item;
  const keep = (record2) => Object.fromEntries(Object.entries(record2).filter(([key]) => !names.includes(key)));
  const evidence3 = item.evidence.map((e) => names.includes(e.kind) ? { ...e, generation: -1 } : e);
  return { ...item, marks: keep(item.marks), members: keep(item.members), evidence: evidence3 };
}
function withRecord(item, record2, e) {
  const [kind = "", outcome = "", on = ""] = record2.split(":");
  const found = evidenceOn(item, on, {
    kind,
    outcome,
    by: e.by,
    requestedBy: e.by,
    at: e.at,
    facts: e.facts
  });
  return { ...item, evidence: [...item.evidence, found] };
}
function evidenceOn(item, on, given) {
  const subject = own(item.subjects, on) ?? { digest: "", generation: 0 };
  return { ...given, on, ...subject, attempt: item.attempt, independence: "automated" };
}
function recorded(protocol, item, e) {
  const row = protocol.evidence[e.row];
  const { kind, outcome, by, requestedBy, at: at2, facts, independence: independence2 } = e;
  const found = {
    ...evidenceOn(item, row?.on ?? "", { kind, outcome, by, requestedBy, at: at2, facts }),
    independence: independence2
  };
  const marks = row === void 0 || row.as === "" ? item.marks : addMark(item.marks, row.as, [by]);
  return { ...item, marks, evidence: [...item.evidence, found] };
}
function noted(item, e) {
  const { [e.member]: _, ...others } = own(item.members, e.group) ?? {};
  const group = e.state === "" ? others : { ...others, [e.member]: { state: e.state, category: e.category, asked: e.asked } };
  let next = { ...item, members: { ...item.members, [e.group]: group } };
  for (const [mark, ids] of Object.entries(e.marks))
    next = { ...next, marks: addMark(next.marks, mark, ids) };
  for (const name of e.moves) next = { ...next, subjects: moveSubject(next, name, e.asked) };
  return next;
}
var namesIn;
var init_evolve = __esm({
  "src/kernel/evolve.ts"() {
    "use strict";
    init_counters();
    init_own();
    init_work_item();
    namesIn = (argument) => argument.split(",").map((name) => name.trim());
  }
});

// src/kernel/define-protocol.ts
function defineProtocol(spec) {
  return {
    version: "1.0.0",
    meaning: "",
    openers: [],
    sets: {},
    order: [],
    counters: {},
    settings: {},
    groups: [],
    probes: [],
    promises: [],
    closed: [],
    gates: [],
    independence: "automated",
    ...spec,
    states: mapValues(
      spec.states,
      stateOf
    ),
    subjects: mapValues(spec.subjects ?? {}, (s) => ({ in: [], by: [], ...s })),
    rows: spec.rows.map(rowOf),
    evidence: (spec.evidence ?? []).map(evidenceOf),
    forbidden: (spec.forbidden ?? []).map((f) => ({ instead: "", ...f, from: many(f.from) })),
    policies: (spec.policies ?? []).map(policyOf)
  };
}
function mapValues(record2, f) {
  return Object.fromEntries(Object.entries(record2).map(([key, value]) => [key, f(value)]));
}
var many, stateOf, rowOf, evidenceOf, policyOf;
var init_define_protocol = __esm({
  "src/kernel/define-protocol.ts"() {
    "use strict";
    many = (value) => Array.isArray(value) ? value : [value];
    stateOf = (state) => ({
      meaning: "",
      owner: "",
      final: false,
      success: false,
      allowance: 0,
      ...state
    });
    rowOf = (row) => ({
      requires: [],
      takes: [],
      as: "",
      names: {},
      counts: [],
      records: [],
      moves: [],
      forgets: [],
      via: "",
      verdict: false,
      override: false,
      attempt: false,
      ...row,
      from: many(row.from),
      by: many(row.by)
    });
    evidenceOf = (row) => ({
      requires: [],
      as: "",
      verdict: "",
      each: false,
      once: false,
      ...row,
      in: many(row.in),
      by: many(row.by)
    });
    policyOf = (policy) => ({
      enters: [],
      commands: [],
      note: "",
      carry: [],
      moves: [],
      asks: "",
      send: "",
      ...policy
    });
  }
});

// src/kernel/freshness.ts
function freshEvidence(item, kind) {
  return item.evidence.filter(
    (e) => e.kind === kind && e.generation === (item.subjects[e.on]?.generation ?? 0)
  );
}
function latestEvidence(item, kind) {
  return freshEvidence(item, kind).at(-1);
}
var init_freshness = __esm({
  "src/kernel/freshness.ts"() {
    "use strict";
  }
});

// src/kernel/verdict.ts
function opens({ status }) {
  return status === "satisfied" || status === "not-applicable" || status === "overridden";
}
function satisfied(guard, because) {
  return { guard, status: "satisfied", because, fix: "" };
}
function unsatisfied(guard, because, fix) {
  return { guard, status: "unsatisfied", because, fix };
}
function judged(guard, holds, because, fix) {
  return holds ? satisfied(guard, because) : unsatisfied(guard, because, fix);
}
var init_verdict = __esm({
  "src/kernel/verdict.ts"() {
    "use strict";
  }
});

// src/kernel/guards/absent.ts
function checkAbsent({ guard, kind }, { item }) {
  const latest = latestEvidence(item, kind);
  const because = latest === void 0 ? `there is no ${kind}` : `the ${kind} says ${latest.outcome}`;
  return judged(guard, latest === void 0, because, `the subject must change after the ${kind}`);
}
var absent;
var init_absent = __esm({
  "src/kernel/guards/absent.ts"() {
    "use strict";
    init_freshness();
    init_verdict();
    absent = (kind) => ({ guard: "absent", kind });
  }
});

// src/kernel/actor.ts
function related(a, b) {
  return a.id === b.id || a.ancestors.includes(b.id) || b.ancestors.includes(a.id);
}
function atLeast(level, minimum) {
  return INDEPENDENCE.indexOf(level) >= INDEPENDENCE.indexOf(minimum);
}
function demandedLevel(setting2) {
  if (setting2 === void 0) return "automated";
  return INDEPENDENCE.find((level) => level === setting2) ?? "human";
}
function independence(asker, builders, proven) {
  if (asker.kind === "human") return proven ? "human" : "automated";
  if (asker.kind === "system") return "automated";
  if (builders.some((builder) => related(asker, builder))) return "automated";
  const shares = (builder) => builder.ancestors.some((id) => asker.ancestors.includes(id));
  return builders.some(shares) ? "sibling" : "other-lineage";
}
function pairsOfEyes(actors, role) {
  const holders = actors.filter(
    (a) => a.kind !== "system" && (role === "" ? a.roles.length > 0 : a.roles.includes(role))
  );
  return holders.filter((a) => !holders.some((b) => b.id !== a.id && b.ancestors.includes(a.id))).length;
}
var ENGINE, INDEPENDENCE;
var init_actor = __esm({
  "src/kernel/actor.ts"() {
    "use strict";
    ENGINE = { id: "engine", kind: "system", roles: ["engine"], ancestors: [] };
    INDEPENDENCE = ["automated", "sibling", "other-lineage", "human"];
  }
});

// src/kernel/context.ts
function actorOf(world, id) {
  return world.roster.find((a) => a.id === id) ?? { id, kind: "agent", roles: [], ancestors: [] };
}
function marked({ item, world }, mark) {
  return (item.marks[mark] ?? []).map((id) => actorOf(world, id));
}
var init_context = __esm({
  "src/kernel/context.ts"() {
    "use strict";
  }
});

// src/kernel/guards/apart.ts
function checkApart({ guard, from, bond }, context) {
  const { actor } = context.command;
  const others = marked(context, from);
  if (others.length === 0) return judged(guard, false, `nobody is recorded as ${from}`, "");
  const close = others.filter((o) => bond === "identity" ? o.id === actor.id : related(o, actor));
  const because = close.length === 0 ? `${actor.id} is apart from every ${from}` : `${actor.id} ${close.some((o) => o.id === actor.id) ? `is the ${from}` : `belongs to the lineage of the ${from}`}`;
  return judged(guard, close.length === 0, because, `let an actor outside the lineage of the ${from} do it`);
}
var apart;
var init_apart = __esm({
  "src/kernel/guards/apart.ts"() {
    "use strict";
    init_actor();
    init_context();
    init_verdict();
    apart = (from, bond = "lineage") => ({
      guard: "apart",
      from,
      bond
    });
  }
});

// src/kernel/an.ts
var an;
var init_an = __esm({
  "src/kernel/an.ts"() {
    "use strict";
    an = (noun) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
  }
});

// src/kernel/guards/evidence.ts
function checkEvidence({ guard, kind, outcome, apart: apart3 }, context) {
  const latest = latestEvidence(context.item, kind);
  const stale2 = context.item.evidence.some((e) => e.kind === kind) ? " (an earlier one is stale)" : "";
  if (latest === void 0)
    return unsatisfied(guard, `there is no ${kind}${stale2}`, `${an(kind)} saying ${outcome} is needed`);
  if (latest.outcome !== outcome) {
    return unsatisfied(
      guard,
      `the ${kind} says ${latest.outcome}`,
      `${an(kind)} saying ${outcome} is needed`
    );
  }
  if (apart3 !== "") {
    const giver = actorOf(context.world, latest.by);
    if (marked(context, apart3).some((m) => related(m, giver))) {
      return unsatisfied(
        guard,
        `the ${kind} was given by the lineage of the ${apart3}`,
        `${an(kind)} from outside it is needed`
      );
    }
  }
  return satisfied(guard, `the ${kind} says ${outcome}`);
}
var evidence;
var init_evidence = __esm({
  "src/kernel/guards/evidence.ts"() {
    "use strict";
    init_actor();
    init_an();
    init_context();
    init_freshness();
    init_verdict();
    evidence = (kind, outcome, apart3 = "") => ({
      guard: "evidence",
      kind,
      outcome,
      apart: apart3
    });
  }
});

// src/kernel/guards/independent.ts
function checkIndependent({ guard, kind, atLeast: asked }, { item }) {
  const latest = latestEvidence(item, kind);
  if (latest === void 0) return unsatisfied(guard, `there is no ${kind}`, "");
  const minimum = asked === "@pinned" ? demandedLevel(item.settings.independence) : asked;
  const because = `independence is ${latest.independence}, ${minimum} needed`;
  return judged(
    guard,
    atLeast(latest.independence, minimum),
    because,
    `${an(kind)} asked for at level ${minimum} is needed`
  );
}
var independent;
var init_independent = __esm({
  "src/kernel/guards/independent.ts"() {
    "use strict";
    init_actor();
    init_an();
    init_freshness();
    init_verdict();
    independent = (kind, level = "@pinned") => ({
      guard: "independent",
      kind,
      atLeast: level
    });
  }
});

// src/kernel/guards/combined.ts
function checkNot({ of }, judge2) {
  const inner = judge2(of);
  if (inner.status === "error") return inner;
  const status = inner.status === "unsatisfied" ? "satisfied" : "unsatisfied";
  return { guard: `not ${inner.guard}`, status, because: inner.because, fix: "" };
}
function checkAny({ of }, judge2) {
  const verdicts = of.map(judge2);
  const open = verdicts.find((v) => v.status === "satisfied" || v.status === "overridden");
  if (open !== void 0) return open;
  const status = verdicts.some((v) => v.status === "error") ? "error" : "unsatisfied";
  const join2 = (parts) => [...new Set(parts.filter((p) => p !== ""))].join(", or ");
  return {
    guard: verdicts.map((v) => v.guard).join(" or "),
    status,
    because: verdicts.map((v) => v.because).join("; "),
    fix: join2(verdicts.map((v) => v.fix))
  };
}
function checkWhen(guard, judge2) {
  const condition = judge2(guard.if);
  if (condition.status === "error") return condition;
  if (opens(condition)) return judge2(guard.require);
  return { guard: condition.guard, status: "not-applicable", because: condition.because, fix: "" };
}
var init_combined = __esm({
  "src/kernel/guards/combined.ts"() {
    "use strict";
    init_verdict();
  }
});

// src/kernel/guards/count.ts
function checkCount({ guard, counter, atLeast: atLeast2 }, { item, counters }) {
  const n = countOf(counters, item.counters, counter, item.state);
  return judged(guard, n >= atLeast2, `${counter} is ${n}, ${atLeast2} needed`, "");
}
function checkReaches({ guard, counter, limit }, { item, counters }) {
  const n = countOf(counters, item.counters, counter, item.state) + 1;
  return judged(guard, n >= limit, `this is ${counter} number ${n} of ${limit}`, "");
}
var count, reaches;
var init_count = __esm({
  "src/kernel/guards/count.ts"() {
    "use strict";
    init_counters();
    init_verdict();
    count = (counter, atLeast2) => ({ guard: "count", counter, atLeast: atLeast2 });
    reaches = (counter, limit) => ({ guard: "reaches", counter, limit });
  }
});

// src/kernel/guards/hats.ts
function checkHats({ guard, wearing, pairs, relaxed: relaxed2 }, { item, command: command2 }) {
  const pinned = item.settings.hats;
  const all = typeof pinned === "string" ? pinned.split(" ").filter((pair) => pair !== "") : pairs;
  const rules = all.filter((pair) => !relaxed2.includes(pair));
  const worn = rules.flatMap((rule) => {
    const [one = "", other = ""] = rule.split("-");
    const clash = one === wearing ? other : other === wearing ? one : "";
    return clash !== "" && (item.marks[clash] ?? []).includes(command2.actor.id) ? [{ rule, clash }] : [];
  });
  const [first] = worn;
  const because = first === void 0 ? `no hat of ${command2.actor.id} here clashes with ${wearing}` : `${command2.actor.id} wears the hat ${first.clash} on this item, and the rule ${first.rule} forbids ${wearing} beside it`;
  return judged(guard, first === void 0, because, `somebody who is not its ${first?.clash ?? wearing}`);
}
var hats;
var init_hats = __esm({
  "src/kernel/guards/hats.ts"() {
    "use strict";
    init_verdict();
    hats = (wearing, pairs, relaxed2 = []) => ({
      guard: "hats",
      wearing,
      pairs,
      relaxed: relaxed2
    });
  }
});

// src/kernel/guards/members.ts
function checkMembers(guard, { item, world }) {
  const group = Object.entries({ ...world.groups[guard.group], ...item.members[guard.group] });
  const wanted = guard.on === "" ? void 0 : item.subjects[guard.on]?.digest ?? "";
  const matches = group.filter(
    ([, m]) => (guard.in.includes(m.state) || guard.in.includes(`=${m.category}`)) && (wanted === void 0 || m.asked === wanted)
  );
  const n = matches.length;
  const holds = enough(guard, n, group.length);
  const named = (guard.share === "none" ? matches : group.filter((entry) => !matches.includes(entry))).map(
    ([id]) => id
  );
  const states = `${n === 1 ? "is" : "are"} ${guard.in.join(" or ")}`;
  const because = guard.share === "none" ? `${n} in the ${guard.group} ${states}, and none may be` : `${n} of ${group.length} ${guard.group} ${states}, ${guard.share} expected`;
  return judged(
    "members",
    holds,
    holds ? because : `${because}: ${named.join(", ")}`,
    `look at ${named.join(", ") || guard.group}`
  );
}
function enough({ share, atLeast: atLeast2 }, matching, all) {
  if (share === "some") return matching >= Math.max(1, atLeast2);
  if (all < atLeast2) return false;
  if (share === "none") return matching === 0;
  return share === "all" ? matching === all : matching * 2 > all;
}
var members;
var init_members = __esm({
  "src/kernel/guards/members.ts"() {
    "use strict";
    init_verdict();
    members = (group, states, share, atLeast2 = 0, on = "") => ({
      guard: "members",
      group,
      in: states,
      share,
      atLeast: atLeast2,
      on
    });
  }
});

// src/kernel/guards/previous.ts
function checkPrevious({ guard, in: states }, { item }) {
  const because = `the item came from ${item.previous}`;
  return judged(
    guard,
    states.includes(item.previous),
    because,
    `allowed only when it came from ${states.join(" or ")}`
  );
}
var previous;
var init_previous = __esm({
  "src/kernel/guards/previous.ts"() {
    "use strict";
    init_verdict();
    previous = (states) => ({ guard: "previous", in: states });
  }
});

// src/kernel/guards/probe.ts
function checkProbe({ guard, name }, { gathered }) {
  const found = gathered.probes[name];
  if (found === void 0) return { guard, status: "error", because: `${name} was not checked`, fix: "" };
  return { guard, ...found };
}
var probe;
var init_probe = __esm({
  "src/kernel/guards/probe.ts"() {
    "use strict";
    probe = (name) => ({ guard: "probe", name });
  }
});

// src/kernel/guards/same.ts
function checkSame({ guard, as }, { item, command: command2 }) {
  const holders = item.marks[as] ?? [];
  const who = holders.length === 0 ? `nobody is ${as}` : `${as} is ${holders.join(", ")}`;
  return judged(guard, holders.includes(command2.actor.id), who, `only the ${as} may do this`);
}
var same;
var init_same = __esm({
  "src/kernel/guards/same.ts"() {
    "use strict";
    init_verdict();
    same = (as) => ({ guard: "same", as });
  }
});

// src/kernel/guards/setting.ts
function checkSetting({ guard, name, is }, { item }) {
  const value = item.settings[name];
  return judged(
    guard,
    value === is,
    `${name} is ${String(value)} for this item`,
    `settings are pinned when an item is opened`
  );
}
var setting;
var init_setting = __esm({
  "src/kernel/guards/setting.ts"() {
    "use strict";
    init_verdict();
    setting = (name, is) => ({ guard: "setting", name, is });
  }
});

// src/kernel/guards/team.ts
function checkTeam({ guard, role, atLeast: atLeast2, apart: apart3, bond, kind }, context) {
  const others = apart3 === "" ? [] : marked(context, apart3);
  const counted = context.world.roster.filter(
    (a) => (kind !== "agent" || a.kind === "agent") && !others.some((o) => bond === "identity" ? o.id === a.id : related(o, a))
  );
  const n = pairsOfEyes(counted, role);
  const holders = role === "" ? kind === "agent" ? "independent agents" : "independent actors" : `independent holders of ${role}`;
  const who = apart3 === "" ? holders : `${holders} apart from the ${apart3}`;
  return judged(guard, n >= atLeast2, `${n} ${who}, ${atLeast2} needed`, `register more ${who}`);
}
var agents, team;
var init_team = __esm({
  "src/kernel/guards/team.ts"() {
    "use strict";
    init_actor();
    init_context();
    init_verdict();
    agents = (atLeast2) => ({ ...team(atLeast2), kind: "agent" });
    team = (atLeast2, role = "", apart3 = "", bond = "lineage") => ({
      guard: "team",
      role,
      atLeast: atLeast2,
      apart: apart3,
      bond,
      kind: "any"
    });
  }
});

// src/kernel/guards/votes.ts
function checkVotes({ guard, kind, outcome, share, of }, { item }) {
  const last2 = new Map(freshEvidence(item, kind).map((e) => [e.by, e.outcome]));
  const inFavour = [...last2.values()].filter((o) => o === outcome).length;
  const needed = { some: 1, majority: Math.floor(of / 2) + 1, all: of }[share];
  const because = `${inFavour} of ${of} say ${outcome}, ${needed} needed`;
  return judged(
    guard,
    inFavour >= needed && needed > 0,
    because,
    `${kind} verdicts saying ${outcome} are needed`
  );
}
var init_votes = __esm({
  "src/kernel/guards/votes.ts"() {
    "use strict";
    init_freshness();
    init_verdict();
  }
});

// src/kernel/guards/index.ts
function judge(guard, context) {
  const check = CHECKS[guard.guard];
  if (check === void 0) return { guard: guard.guard, status: "error", because: "unknown guard", fix: "" };
  return check(guard, context);
}
var not, anyOf, when, CHECKS, GUARD_NAMES;
var init_guards = __esm({
  "src/kernel/guards/index.ts"() {
    "use strict";
    init_absent();
    init_apart();
    init_combined();
    init_count();
    init_evidence();
    init_hats();
    init_independent();
    init_members();
    init_previous();
    init_probe();
    init_same();
    init_setting();
    init_team();
    init_votes();
    not = (of) => ({ guard: "not", of });
    anyOf = (...of) => ({ guard: "any", of });
    when = (condition, require2) => ({ guard: "when", if: condition, require: require2 });
    CHECKS = {
      apart: checkApart,
      same: checkSame,
      evidence: checkEvidence,
      absent: checkAbsent,
      votes: checkVotes,
      members: checkMembers,
      reaches: checkReaches,
      count: checkCount,
      previous: checkPrevious,
      probe: checkProbe,
      team: checkTeam,
      setting: checkSetting,
      independent: checkIndependent,
      hats: checkHats,
      not: (guard, context) => checkNot(guard, (g2) => judge(g2, context)),
      any: (guard, context) => checkAny(guard, (g2) => judge(g2, context)),
      when: (guard, context) => checkWhen(guard, (g2) => judge(g2, context))
    };
    GUARD_NAMES = Object.keys(CHECKS);
  }
});

// src/protocols/voices.ts
function gateEvidence({
  in: state,
  on,
  reviewers,
  signers
}) {
  const outside5 = { in: state, on, requires: [apart("builder")], each: true };
  const person2 = { by: "human", in: state, on, each: true };
  const rows = [
    { kind: "proof-pack", outcomes: ["PASSED", "BLOCKED"], by: "engine", in: state, on, once: true },
    { kind: "inconclusive", outcomes: ["INDETERMINATE"], by: "engine", in: state, on },
    { kind: "sign-off", outcomes: VOICE, by: signers, ...outside5 },
    { kind: "sign-off", outcomes: VOICE, ...person2 },
    { kind: "review", outcomes: VOICE, by: reviewers, ...outside5 },
    { kind: "review", outcomes: VOICE, ...person2 },
    { kind: "approval", outcomes: VOICE, ...person2 },
    { kind: "waiver", outcomes: ["waived"], by: signers, ...outside5 },
    { kind: "waiver", outcomes: ["waived"], ...person2 }
  ];
  return rows;
}
var VOICE;
var init_voices = __esm({
  "src/protocols/voices.ts"() {
    "use strict";
    init_apart();
    VOICE = ["approve", "reject"];
  }
});

// src/protocols/goal.ts
var started, done, someVerified, integrated, lead, goal;
var init_goal = __esm({
  "src/protocols/goal.ts"() {
    "use strict";
    init_define_protocol();
    init_absent();
    init_apart();
    init_evidence();
    init_independent();
    init_guards();
    init_members();
    init_probe();
    init_voices();
    started = members("tasks", ["in_progress", "review", "completed", "verified"], "some");
    done = members("tasks", ["verified", "abandoned"], "all", 1);
    someVerified = members("tasks", ["verified"], "some");
    integrated = evidence("integration", "tried");
    lead = ["lead", "human"];
    goal = defineProtocol({
      name: "goal",
      version: "1.0.0",
      meaning: "A goal follows its tasks, and is verified as a whole by a lead who built none of it",
      roles: ["lead"],
      openers: ["lead"],
      initial: "open",
      // biome-ignore format: a state table reads as a table
      states: {
        open: { category: "QUEUED", meaning: "No task has been started" },
        active: { category: "WORKING", meaning: "Tasks are under way" },
        pending_verify: { category: "CHECKING", owner: "lead", meaning: "Every task is verified; the whole is not" },
        verified: { category: "CONFIRMED", meaning: "The whole was tried and works", success: true },
        cancelled: { category: "FAILED", meaning: "Given up", final: true }
      },
      sets: { "*open": ["open", "active", "pending_verify"] },
      subjects: { commit: {} },
      settings: { independence: ["automated", "sibling", "other-lineage", "human"] },
      groups: ["tasks"],
      probes: ["linkable", "integrated"],
      // biome-ignore format: a state table reads as a table
      rows: [
        { from: "open", command: "", to: "active", by: "engine", requires: [started] },
        { from: "active", command: "", to: "pending_verify", by: "engine", requires: [done, someVerified, absent("rejection")] },
        { from: "pending_verify", command: "", to: "active", by: "engine", requires: [not(done)] },
        { from: "verified", command: "", to: "active", by: "engine", requires: [not(done)], moves: ["commit"], records: ["regression:open:commit"] },
        { from: "*open", command: "link", to: "@same", by: lead, requires: [probe("linkable")], takes: ["task"] },
        { from: "*open", command: "unlink", to: "@same", by: lead, requires: [probe("linkable")], takes: ["task", "reason"] },
        { from: "pending_verify", command: "integrate", to: "@same", by: lead, requires: [apart("builder"), probe("integrated")], takes: ["notes"], moves: ["commit"], records: ["integration:tried:commit"] },
        { from: "pending_verify", command: "verify-goal", to: "verified", by: lead, requires: [apart("builder"), integrated, evidence("proof-pack", "PASSED"), independent("proof-pack")], as: "verifier", verdict: true },
        { from: "pending_verify", command: "reject-goal", to: "active", by: lead, takes: ["reason"], records: ["rejection:open:commit"] },
        { from: "*open", command: "cancel", to: "cancelled", by: lead, takes: ["reason"] }
      ],
      evidence: gateEvidence({
        in: "pending_verify",
        on: "commit",
        reviewers: ["lead"],
        signers: ["lead"]
      }),
      gates: [{ in: "pending_verify", pass: "verify-goal", fail: "reject-goal", role: "lead" }],
      // biome-ignore format: a table reads as a table
      forbidden: [
        { from: ["open", "active"], command: "verify-goal", because: "not every task is verified", instead: "have the remaining tasks verified" },
        { from: ["open", "active"], command: "integrate", because: "not every task is verified", instead: "have the remaining tasks verified" },
        { from: "verified", command: "link", because: "a verified goal takes no new task", instead: "reopen one of its tasks, or make another goal" }
      ],
      promises: [evidence("proof-pack", "PASSED")]
    });
  }
});

// src/protocols/goal-task.ts
var PAIRS, RELAXED, escalated, dependenciesDone, work, mine, byTheChecker, passed, fits, large, strict, relaxed, byPerson, triaged, goalTask;
var init_goal_task = __esm({
  "src/protocols/goal-task.ts"() {
    "use strict";
    init_define_protocol();
    init_apart();
    init_count();
    init_evidence();
    init_hats();
    init_independent();
    init_guards();
    init_members();
    init_probe();
    init_same();
    init_team();
    init_voices();
    PAIRS = ["builder-reviewer", "builder-tester", "reviewer-tester"];
    RELAXED = ["reviewer-tester"];
    escalated = evidence("escalation", "open");
    dependenciesDone = members("dependencies", ["=CONFIRMED", "=CLOSED"], "all");
    work = [probe("claimed-work"), probe("evidence-files"), probe("evidence-types"), probe("helpers-fit")];
    mine = same("assignee");
    byTheChecker = when(evidence("checker", "named"), same("checker"));
    passed = [evidence("proof-pack", "PASSED"), independent("proof-pack")];
    fits = probe("assignee-fits");
    large = agents(3);
    strict = [large, apart("builder"), apart("reviewer", "identity"), hats("tester", PAIRS), byTheChecker];
    relaxed = [not(large), apart("builder"), hats("tester", PAIRS, RELAXED), byTheChecker];
    byPerson = apart("builder", "identity");
    triaged = { counts: ["0rejections"], records: ["escalation:triaged:item"] };
    goalTask = defineProtocol({
      name: "goal-task",
      version: "1.0.0",
      meaning: "A task of a goal: its builder neither approves nor verifies it",
      roles: ["lead", "builder", "reviewer", "verifier"],
      openers: ["lead"],
      initial: "pending",
      // biome-ignore format: a state table reads as a table
      states: {
        pending: { category: "QUEUED", meaning: "Created; nobody has it" },
        assigned: { category: "QUEUED", meaning: "Has a builder, who has not begun" },
        in_progress: { category: "WORKING", meaning: "Being built" },
        review: { category: "SUBMITTED", meaning: "Submitted; somebody else reads it" },
        completed: { category: "CHECKING", meaning: "Approved, not yet verified: not done" },
        verified: { category: "CONFIRMED", meaning: "Somebody who neither built nor approved it had it verified", success: true },
        abandoned: { category: "FAILED", meaning: "Taken out of its goal", final: true }
      },
      sets: { "*open": ["pending", "assigned", "in_progress", "review", "completed"] },
      counters: { rejections: { per: "item", limit: 2 } },
      subjects: { commit: {}, item: {} },
      settings: { independence: ["automated", "sibling", "other-lineage", "human"] },
      groups: ["dependencies"],
      probes: [
        "assignee-fits",
        "checker-fits",
        "helpers-fit",
        "claimed-work",
        "evidence-files",
        "evidence-types"
      ],
      // biome-ignore format: a state table reads as a table
      rows: [
        { from: "pending", command: "assign", to: "assigned", by: ["lead", "human"], requires: [fits], takes: ["to"], names: { assignee: "to" }, as: "lead" },
        { from: ["assigned", "in_progress"], command: "assign", to: "@same", by: ["lead", "human"], requires: [not(escalated), fits], takes: ["to"], forgets: ["assignee"], names: { assignee: "to" }, as: "lead" },
        { from: "assigned", command: "start", to: "in_progress", by: "builder", requires: [mine, dependenciesDone], as: "builder" },
        { from: "in_progress", command: "submit", to: "review", by: ["builder", "lead"], requires: [mine, not(escalated), ...work], takes: ["summary", "helpers"], names: { builder: "helpers", helper: "helpers" }, as: "builder", moves: ["commit"] },
        { from: "in_progress", command: "submit", to: "review", by: ["builder", "lead"], requires: [mine, not(escalated), ...work], takes: ["summary"], as: "builder", moves: ["commit"] },
        { from: "review", command: "approve", to: "completed", by: ["reviewer", "lead", "human"], requires: [apart("builder"), hats("reviewer", PAIRS)], as: "reviewer" },
        { from: "review", command: "reject", to: "in_progress", by: ["reviewer", "lead", "human"], requires: [apart("builder")], takes: ["reason"] },
        { from: "completed", command: "verify", to: "verified", by: "verifier", requires: [...strict, ...passed], as: "tester", verdict: true },
        { from: "completed", command: "verify", to: "verified", by: ["verifier", "lead"], requires: [...relaxed, ...passed], as: "tester", verdict: true, records: ["relaxed:yes:commit"] },
        { from: "completed", command: "verify", to: "verified", by: "human", requires: [byPerson, apart("reviewer", "identity"), hats("tester", PAIRS), ...passed], as: "tester", verdict: true },
        { from: "completed", command: "verify", to: "verified", by: "human", requires: [not(large), byPerson, hats("tester", PAIRS, RELAXED), ...passed], as: "tester", verdict: true, records: ["relaxed:yes:commit"] },
        { from: "completed", command: "reject-verification", to: "in_progress", by: ["verifier", "lead", "human"], requires: [apart("builder"), byTheChecker, evidence("escalation", "triaged")], counts: ["+rejections"], records: ["escalation:open:item"], forgets: ["reviewer"], takes: ["reason"] },
        { from: "completed", command: "reject-verification", to: "in_progress", by: ["verifier", "lead", "human"], requires: [apart("builder"), byTheChecker, reaches("rejections", 2)], counts: ["+rejections"], records: ["escalation:open:item"], forgets: ["reviewer"], takes: ["reason"] },
        { from: "completed", command: "reject-verification", to: "in_progress", by: ["verifier", "lead", "human"], requires: [apart("builder"), byTheChecker], counts: ["+rejections"], forgets: ["reviewer"], takes: ["reason"] },
        { from: "in_progress", command: "reassign-builder", to: "@same", by: ["lead", "human"], requires: [escalated, fits], takes: ["to", "reason"], forgets: ["assignee"], names: { assignee: "to" }, as: "lead", ...triaged },
        { from: "in_progress", command: "reassign-checker", to: "@same", by: ["lead", "human"], requires: [escalated, probe("checker-fits")], takes: ["to", "reason"], forgets: ["checker"], names: { checker: "to" }, as: "lead", counts: ["0rejections"], records: ["escalation:triaged:item", "checker:named:item"] },
        { from: "in_progress", command: "intervene", to: "@same", by: "lead", requires: [escalated], takes: ["reason"], forgets: ["assignee"], as: "assignee", ...triaged },
        { from: "verified", command: "reopen", to: "in_progress", by: ["lead", "human"], requires: [fits], takes: ["reason", "to"], forgets: ["assignee", "reviewer", "tester", "escalation"], names: { assignee: "to" }, moves: ["commit"], counts: ["0rejections"] },
        { from: "verified", command: "reopen", to: "in_progress", by: ["lead", "human"], requires: [fits], takes: ["reason"], forgets: ["reviewer", "tester", "escalation"], moves: ["commit"], counts: ["0rejections"] },
        { from: "*open", command: "abandon", to: "abandoned", by: ["lead", "human"], takes: ["reason"] }
      ],
      evidence: gateEvidence({
        in: "completed",
        on: "commit",
        reviewers: ["verifier", "reviewer"],
        signers: ["verifier", "reviewer", "lead"]
      }),
      gates: [{ in: "completed", pass: "verify", fail: "reject-verification", role: "verifier" }],
      // biome-ignore format: a table reads as a table
      forbidden: [
        { from: "review", command: "verify", because: "a submission is approved before it is verified", instead: "have it approved first" },
        { from: ["pending", "assigned", "in_progress"], command: "verify", because: "there is nothing submitted to verify", instead: "submit it first" },
        { from: ["pending", "assigned", "in_progress"], command: "approve", because: "there is nothing submitted to approve", instead: "submit it first" }
      ],
      // biome-ignore format: a table reads as a table
      policies: [
        { enters: ["*"], tell: "dependants", note: "dependencies" },
        { enters: ["verified"], tell: "goal", note: "tasks", carry: ["builder"], moves: ["commit"] },
        { enters: ["pending", "assigned", "in_progress", "review", "completed", "abandoned"], tell: "goal", note: "tasks", carry: ["builder"] }
      ],
      promises: [evidence("proof-pack", "PASSED")]
    });
  }
});

// src/protocols/lifecycle.ts
var ORDER, reason, forward, third, review, work2, dependenciesDone2, outside, newApproach, lifecycle;
var init_lifecycle = __esm({
  "src/protocols/lifecycle.ts"() {
    "use strict";
    init_define_protocol();
    init_apart();
    init_count();
    init_evidence();
    init_independent();
    init_guards();
    init_members();
    init_previous();
    init_probe();
    init_setting();
    init_team();
    init_voices();
    ORDER = [
      "pending",
      "assigned",
      "planning",
      "validated",
      "in_progress",
      "testing",
      "quality_review",
      "approved",
      "committing"
    ];
    reason = { takes: ["reason"] };
    forward = { counts: ["0failures"], takes: ["reason"] };
    third = reaches("failures", 3);
    review = when(setting("plan_file", true), evidence("codebase-review", "done"));
    work2 = [probe("claimed-work"), probe("evidence-files"), probe("evidence-types")];
    dependenciesDone2 = members("dependencies", ["=CONFIRMED", "=CLOSED"], "all");
    outside = anyOf(
      apart("builder"),
      not(anyOf(team(2, "quality-monitor"), team(1, "quality-monitor", "builder")))
    );
    newApproach = not(evidence("approach", "rejected"));
    lifecycle = defineProtocol({
      name: "lifecycle",
      version: "1.0.0",
      meaning: "A task from planning to commit, with counted failures and two levels of intervention",
      roles: [
        "plan-manager",
        "build-orchestrator",
        "solution-validator",
        "fullstack-developer",
        "quality-monitor",
        "git-manager",
        "cto"
      ],
      openers: ["plan-manager"],
      initial: "pending",
      // biome-ignore format: a state table reads as a table
      states: {
        pending: { category: "QUEUED", owner: "build-orchestrator", allowance: 60, meaning: "Created; nobody has it" },
        assigned: { category: "QUEUED", owner: "solution-validator", allowance: 15, meaning: "Taken up; planning has not begun" },
        planning: { category: "WORKING", owner: "solution-validator", allowance: 30, meaning: "The approach is examined" },
        validated: { category: "WORKING", owner: "fullstack-developer", allowance: 15, meaning: "The approach was approved" },
        in_progress: { category: "WORKING", owner: "fullstack-developer", allowance: 240, meaning: "Being built" },
        testing: { category: "WORKING", owner: "fullstack-developer", allowance: 30, meaning: "The developer checks their own work" },
        quality_review: { category: "CHECKING", owner: "quality-monitor", allowance: 30, meaning: "The engine runs the checks for somebody else" },
        approved: { category: "ACCEPTED", owner: "git-manager", allowance: 10, meaning: "Passed; may be committed" },
        committing: { category: "ACCEPTED", owner: "git-manager", allowance: 15, meaning: "Being committed" },
        completed: { category: "CLOSED", meaning: "Passed and committed", final: true, success: true },
        cto_intervention: { category: "ESCALATED", owner: "cto", allowance: 60, meaning: "Three failures: guidance is needed" },
        human_escalation: { category: "ESCALATED", owner: "human", meaning: "Two interventions did not help: a person decides" },
        failed: { category: "FAILED", meaning: "Given up by a person", final: true }
      },
      order: ORDER,
      // A person may send it back to any work, never past the gate that nothing of it has passed.
      sets: { "*working": ORDER, "*returnable": ORDER.slice(0, 7) },
      counters: { failures: { per: "state", limit: 3 }, interventions: { per: "item", limit: 2 } },
      subjects: { commit: {}, item: {}, plan: {} },
      settings: {
        plan_file: [false, true],
        independence: ["automated", "sibling", "other-lineage", "human"]
      },
      groups: ["dependencies"],
      probes: [
        "claimed-work",
        "evidence-files",
        "evidence-types",
        "self-checks",
        "new-approach",
        "commit-exists",
        "proof-pack"
      ],
      // biome-ignore format: a state table reads as a table
      rows: [
        { from: "pending", command: "assign", to: "assigned", by: "build-orchestrator", requires: [review, dependenciesDone2], forgets: ["codebase-review"], ...forward },
        { from: "assigned", command: "plan", to: "planning", by: "solution-validator", ...forward },
        { from: "planning", command: "propose", to: "@same", by: "fullstack-developer", requires: [probe("new-approach")], moves: ["plan"], records: ["approach:proposed:plan"], ...reason },
        { from: "planning", command: "validate", to: "validated", by: "solution-validator", requires: [newApproach], forgets: ["approach"], ...forward },
        { from: "validated", command: "begin", to: "in_progress", by: "fullstack-developer", as: "builder", ...forward },
        { from: "in_progress", command: "finish", to: "testing", by: "fullstack-developer", requires: work2, as: "builder", moves: ["commit"], ...forward },
        { from: "testing", command: "ask-review", to: "quality_review", by: "fullstack-developer", requires: [probe("evidence-files"), probe("self-checks")], as: "builder", moves: ["commit"], ...forward },
        { from: "quality_review", command: "approve", to: "approved", by: ["quality-monitor", "human"], requires: [outside, evidence("proof-pack", "PASSED"), independent("proof-pack")], as: "verifier", verdict: true, ...forward },
        { from: "approved", command: "commit", to: "committing", by: "git-manager", ...forward },
        { from: "committing", command: "committed", to: "completed", by: "git-manager", requires: [probe("commit-exists"), probe("proof-pack"), evidence("proof-pack", "PASSED")], takes: ["commit", "reason"] },
        // Counted first, then decided: the third failure meets these two before any row for another try (CL-01 to CL-03).
        { from: "*working", command: "fail", to: "human_escalation", by: "@owner", requires: [third, count("interventions", 2)], via: "cto_intervention", counts: ["+failures"], ...reason },
        { from: "*working", command: "fail", to: "cto_intervention", by: "@owner", requires: [third], counts: ["+failures", "+interventions"], ...reason },
        { from: ["testing", "quality_review", "committing"], command: "fail", to: "in_progress", by: "@owner", counts: ["+failures"], moves: ["commit"], ...reason },
        { from: "planning", command: "fail", to: "@same", by: "@owner", counts: ["+failures"], records: ["approach:rejected:plan"], ...reason },
        { from: "*working", command: "fail", to: "@same", by: "@owner", counts: ["+failures"], ...reason },
        { from: "cto_intervention", command: "return", to: "@previous", by: "cto", requires: [previous(["quality_review"])], counts: ["0^failures"], moves: ["commit"], takes: ["guidance"] },
        { from: "cto_intervention", command: "return", to: "@previous", by: "cto", counts: ["0^failures"], takes: ["guidance"] },
        { from: "cto_intervention", command: "rollback", to: "@earlier", by: "cto", counts: ["0^failures"], moves: ["commit"], forgets: ["approach"], takes: ["guidance"], override: true },
        { from: "cto_intervention", command: "skip", to: "@next", by: "cto", requires: [previous(["pending", "assigned", "planning", "validated", "testing", "approved"])], counts: ["0^failures"], forgets: ["approach"], takes: ["guidance"], override: true },
        { from: "cto_intervention", command: "escalate", to: "human_escalation", by: "cto", requires: [count("interventions", 2)], ...reason },
        { from: "human_escalation", command: "resolve", to: "*returnable", by: "human", counts: ["0*failures"], moves: ["commit"], forgets: ["approach"], ...reason },
        { from: "human_escalation", command: "abandon", to: "failed", by: "human", ...reason }
      ],
      evidence: [
        // biome-ignore format: a table reads as a table
        { kind: "codebase-review", outcomes: ["done"], by: "cto", in: "pending", on: "item" },
        ...gateEvidence({
          in: "quality_review",
          on: "commit",
          reviewers: ["quality-monitor", "cto"],
          signers: ["quality-monitor", "cto", "build-orchestrator"]
        })
      ],
      gates: [{ in: "quality_review", pass: "approve", fail: "fail", role: "quality-monitor" }],
      // biome-ignore format: a table reads as a table
      forbidden: [
        { from: ["pending", "assigned", "planning", "validated"], command: "committed", because: "states are not skipped", instead: "take the next step of the item" },
        { from: ["in_progress", "testing"], command: "approve", because: "the review is not skipped", instead: "finish, then ask for the review" },
        { from: ORDER, command: "abandon", because: "only a person gives up work, after an escalation", instead: "record the failure" }
      ],
      policies: [{ enters: ["*"], tell: "dependants", note: "dependencies" }],
      promises: [evidence("proof-pack", "PASSED")]
    });
  }
});

// src/protocols/two-phase.ts
var alone, outside2, notTheBuilder, notTheVerifier, outsideQuality, listOpen, dependenciesDone3, dispatched, work3, qualityAsked, quality, REVIEWERS, SIGNERS, VOICE2, twoPhase;
var init_two_phase = __esm({
  "src/protocols/two-phase.ts"() {
    "use strict";
    init_define_protocol();
    init_absent();
    init_apart();
    init_evidence();
    init_independent();
    init_guards();
    init_members();
    init_probe();
    init_same();
    init_setting();
    init_team();
    alone = (role, from, bond) => not(anyOf(team(2, role), team(1, role, from, bond)));
    outside2 = anyOf(apart("builder"), alone("verification-agent", "builder", "lineage"));
    notTheBuilder = anyOf(
      apart("builder", "identity"),
      alone("workflow-orchestrator", "builder", "identity")
    );
    notTheVerifier = anyOf(
      apart("verifier", "identity"),
      alone("workflow-orchestrator", "verifier", "identity"),
      not(team(1, "workflow-orchestrator", "builder", "identity"))
    );
    outsideQuality = anyOf(apart("builder"), alone("quality-validator", "builder", "lineage"));
    listOpen = when(setting("halt_on_block", true), members("list", ["blocked"], "none"));
    dependenciesDone3 = members("dependencies", ["=CONFIRMED", "=CLOSED"], "all");
    dispatched = when(setting("undispatched", "refuse"), same("assignee"));
    work3 = [probe("claimed-work"), probe("evidence-files"), probe("evidence-types")];
    qualityAsked = anyOf(setting("quality_validation", true), evidence("quality-demand", "yes"));
    quality = when(qualityAsked, evidence("quality", "APPROVED"));
    REVIEWERS = ["verification-agent", "quality-validator"];
    SIGNERS = [...REVIEWERS, "workflow-orchestrator"];
    VOICE2 = ["approve", "reject"];
    twoPhase = defineProtocol({
      name: "two-phase",
      version: "1.0.0",
      meaning: "Two-phase commit of a todo item: a claim is confirmed by somebody else before it is done",
      roles: ["specialist", "verification-agent", "workflow-orchestrator", "quality-validator"],
      openers: ["workflow-orchestrator"],
      initial: "pending",
      states: {
        pending: { category: "QUEUED", meaning: "Not started; waits for a specialist" },
        in_progress: { category: "WORKING", meaning: "Dispatched and being implemented" },
        claimed: { category: "SUBMITTED", meaning: "Said to be finished; nothing has been verified yet" },
        verified: {
          category: "CONFIRMED",
          meaning: "Every criterion was met on a clean checkout of the claimed commit"
        },
        blocked: {
          category: "REWORK",
          meaning: "At least one criterion failed; the only way on is a new attempt"
        },
        completed: { category: "CLOSED", meaning: "Verified and accepted", final: true, success: true }
      },
      settings: {
        quality_validation: [false, true],
        acknowledge: ["user", "orchestrator"],
        halt_on_block: [true, false],
        undispatched: ["flag", "refuse"],
        independence: ["automated", "sibling", "other-lineage", "human"]
      },
      subjects: { commit: {}, item: {} },
      groups: ["list", "dependencies"],
      probes: ["assignee-fits", "claimed-work", "evidence-files", "evidence-types", "proof-pack"],
      // biome-ignore format: a state table reads as a table
      rows: [
        { from: "pending", command: "dispatch", to: "in_progress", by: "workflow-orchestrator", requires: [listOpen, dependenciesDone3, probe("assignee-fits")], takes: ["to"], names: { assignee: "to" } },
        { from: "in_progress", command: "start", to: "@same", by: "specialist", requires: [same("assignee")] },
        { from: "in_progress", command: "claim", to: "claimed", by: "specialist", requires: [same("assignee"), ...work3], as: "builder", moves: ["commit"] },
        { from: "pending", command: "claim", to: "claimed", by: "specialist", requires: [dispatched, listOpen, dependenciesDone3, ...work3], via: "in_progress", as: "builder", moves: ["commit"] },
        { from: "in_progress", command: "release", to: "pending", by: "workflow-orchestrator", forgets: ["assignee"] },
        { from: "claimed", command: "verify", to: "verified", by: ["verification-agent", "human"], requires: [outside2, evidence("proof-pack", "PASSED"), independent("proof-pack")], as: "verifier", verdict: true },
        { from: "claimed", command: "block", to: "blocked", by: ["verification-agent", "human"], requires: [outside2, evidence("proof-pack", "BLOCKED")], as: "verifier" },
        { from: "claimed", command: "release", to: "pending", by: "workflow-orchestrator", requires: [evidence("inconclusive", "INDETERMINATE")], attempt: true, forgets: ["assignee"] },
        { from: "blocked", command: "retry", to: "pending", by: "workflow-orchestrator", requires: [evidence("failure-review", "seen")], attempt: true, forgets: ["assignee", "verifier"] },
        { from: "verified", command: "complete", to: "completed", by: ["workflow-orchestrator", "human"], requires: [absent("superseded"), notTheBuilder, notTheVerifier, probe("proof-pack"), evidence("proof-pack", "PASSED"), quality, evidence("final-report", "WRITTEN")] },
        { from: "verified", command: "supersede", to: "@same", by: ["workflow-orchestrator", "human"], requires: [absent("superseded"), evidence("quality", "REJECTED")], records: ["superseded:yes:item"] }
      ],
      // biome-ignore format: a table reads as a table
      evidence: [
        { kind: "proof-pack", outcomes: ["PASSED", "BLOCKED"], by: "engine", in: "claimed", on: "commit", once: true },
        { kind: "inconclusive", outcomes: ["INDETERMINATE"], by: "engine", in: "claimed", on: "commit" },
        { kind: "quality-demand", outcomes: ["yes"], by: "engine", in: "claimed", on: "commit" },
        { kind: "sign-off", outcomes: VOICE2, by: SIGNERS, in: "claimed", on: "commit", requires: [apart("builder")], each: true },
        { kind: "sign-off", outcomes: VOICE2, by: "human", in: "claimed", on: "commit", each: true },
        { kind: "review", outcomes: VOICE2, by: REVIEWERS, in: "claimed", on: "commit", requires: [apart("builder")], each: true },
        { kind: "review", outcomes: VOICE2, by: "human", in: "claimed", on: "commit", each: true },
        { kind: "approval", outcomes: VOICE2, by: "human", in: "claimed", on: "commit", each: true },
        { kind: "waiver", outcomes: ["waived"], by: [...SIGNERS, "specialist"], in: "claimed", on: "commit", requires: [apart("builder")], each: true },
        { kind: "waiver", outcomes: ["waived"], by: "human", in: "claimed", on: "commit", each: true },
        { kind: "failure-review", outcomes: ["seen"], by: "human", in: "blocked", on: "commit" },
        { kind: "failure-review", outcomes: ["seen"], by: "workflow-orchestrator", in: "blocked", on: "commit", requires: [setting("acknowledge", "orchestrator")] },
        { kind: "quality", outcomes: ["APPROVED", "REJECTED"], by: ["quality-validator", "human"], in: "verified", on: "commit", requires: [outsideQuality], once: true },
        { kind: "final-report", outcomes: ["WRITTEN"], by: "engine", in: "verified", on: "commit" }
      ],
      // biome-ignore format: a table reads as a table
      forbidden: [
        { from: ["pending", "in_progress"], command: "complete", because: "implementation may not be skipped", instead: "claim it, then have it verified" },
        { from: "claimed", command: "complete", because: "verification may not be skipped", instead: "have it verified" },
        { from: ["pending", "in_progress"], command: "verify", because: "there is nothing implemented to verify", instead: "claim it first" },
        { from: "blocked", command: "complete", because: "failed verifications remain", instead: "acknowledge the failures, retry, claim and verify again" },
        { from: "blocked", command: "verify", because: "a blocked item must be fixed, claimed and verified again", instead: "acknowledge the failures and retry" },
        { from: "verified", command: "retry", because: "verification cannot be undone", instead: "create a follow-up item" },
        { from: "completed", command: "retry", because: "a completed item is final", instead: "create a follow-up item" }
      ],
      // biome-ignore format: a table reads as a table
      policies: [
        { enters: ["*"], tell: "dependants", note: "dependencies" },
        { enters: ["blocked"], tell: "list", note: "list" },
        { commands: ["retry"], tell: "list", note: "list" }
      ],
      promises: [evidence("proof-pack", "PASSED")],
      closed: [evidence("superseded", "yes")],
      gates: [{ in: "claimed", pass: "verify", fail: "block", role: "verification-agent" }]
    });
  }
});

// src/engine/react.ts
function noteOf({ display, protocol, item }, policy, at2) {
  const marks = Object.fromEntries(policy.carry.map((mark) => [mark, item.marks[mark] ?? []]));
  const replaced = item.links.some((link) => link.kind === "superseded-by");
  return {
    type: "noted",
    at: at2,
    by: "engine",
    group: policy.note,
    member: display,
    state: replaced ? "" : item.state,
    category: replaced ? "" : protocol.states[item.state]?.category ?? "",
    asked: policy.asks === "" ? "" : item.subjects[policy.asks]?.digest ?? "",
    marks,
    moves: policy.moves
  };
}
var init_react = __esm({
  "src/engine/react.ts"() {
    "use strict";
  }
});

// src/kernel/command.ts
var NOTHING_GATHERED;
var init_command = __esm({
  "src/kernel/command.ts"() {
    "use strict";
    NOTHING_GATHERED = { probes: {}, subjects: {}, facts: {} };
  }
});

// src/kernel/protocol.ts
function expand(protocol, names) {
  if (!names.some((name) => name.startsWith("*"))) return names;
  return names.flatMap((name) => name.startsWith("*") ? protocol.sets[name] ?? [] : [name]);
}
var init_protocol = __esm({
  "src/kernel/protocol.ts"() {
    "use strict";
  }
});

// src/kernel/target.ts
function targetsOf(protocol, row, item) {
  if (row.to.startsWith("*")) return protocol.sets[row.to] ?? [];
  const at2 = protocol.order.indexOf(item.previous);
  switch (row.to) {
    case "@same":
      return [item.state];
    case "@previous":
      return [item.previous];
    case "@next":
      return at2 < 0 ? [] : protocol.order.slice(at2 + 1, at2 + 2);
    case "@earlier":
      return at2 < 0 ? [] : protocol.order.slice(0, at2);
    default:
      return [row.to];
  }
}
var init_target = __esm({
  "src/kernel/target.ts"() {
    "use strict";
  }
});

// src/kernel/decide.ts
function decide(protocol, item, command2, world, gathered = NOTHING_GATHERED) {
  const named = rowsFor(protocol, item, command2.name);
  if (named.length === 0) return refuseUnlisted(protocol, item, command2.name);
  const allowed = named.filter(({ row }) => mayTake(protocol, row.by, item.state, command2));
  if (allowed.length === 0) {
    const roles = [...new Set(named.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse("wrong-role", `Only ${roles.join(" or ")} may ${command2.name} this item`);
  }
  const aimed = allowed.filter(({ row }) => argumentsMissing(protocol, row, item, command2).length === 0);
  if (aimed.length === 0) {
    const missing = allowed.flatMap(({ row }) => argumentsMissing(protocol, row, item, command2));
    return refuse("bad-arguments", `${command2.name} needs ${[...new Set(missing)].join(", ")}`);
  }
  const context = { counters: protocol.counters, item, command: command2, world, gathered };
  const judged2 = aimed.map((entry) => ({
    ...entry,
    verdicts: entry.row.requires.map((g2) => judge(g2, context))
  }));
  const open = judged2.find(({ verdicts }) => verdicts.every(opens));
  if (open !== void 0) {
    const events = movesOf(protocol, open, item, command2, gathered);
    return { kind: "accepted", events, verdicts: open.verdicts };
  }
  const closed = unique(judged2.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v))));
  return refuse("gate-closed", `${command2.name} is not open yet`, closed);
}
function rowsFor(protocol, item, command2) {
  const found = [];
  for (const [index, row] of protocol.rows.entries())
    if (row.command === command2 && expand(protocol, row.from).includes(item.state))
      found.push({ row, index });
  return found;
}
function mayTake(protocol, by, state, { actor, proof }) {
  return rolesOf(protocol, by, state).some(
    (role) => role === "human" ? actor.kind === "human" && proof !== void 0 : actor.roles.includes(role)
  );
}
function rolesOf(protocol, by, state) {
  return by.map((role) => role === "@owner" ? protocol.states[state]?.owner ?? "" : role);
}
function argumentsMissing(protocol, row, item, command2) {
  const given = (name) => name === "reason" ? command2.reason : own(command2.arguments, name) ?? "";
  const missing = row.takes.filter((name) => given(name).trim() === "");
  const targets = targetsOf(protocol, row, item);
  if (targets.length === 1) return missing;
  return targets.includes(command2.arguments.to ?? "") ? missing : [...missing, `to (${targets.join(", ") || "nowhere"})`];
}
function movesOf(protocol, entry, item, command2, gathered) {
  const { row, index, verdicts } = entry;
  const targets = targetsOf(protocol, row, item);
  const to = targets.length === 1 ? targets[0] ?? item.state : command2.arguments.to ?? "";
  const { name, at: at2, actor, reason: reason2, proof } = command2;
  const { subjects, facts } = gathered;
  const move = {
    type: "moved",
    at: at2,
    by: actor.id,
    origin: item.state,
    command: name,
    arguments: command2.arguments,
    reason: reason2,
    proof: proof?.id ?? "",
    subjects,
    facts,
    verdicts,
    row: index,
    from: row.via || item.state,
    to
  };
  if (row.via === "") return [move];
  const nothing = { command: "", arguments: {}, proof: "", subjects: {}, facts: {}, verdicts: [], row: -1 };
  return [{ ...move, ...nothing, reason: `implied by ${name}`, from: item.state, to: row.via }, move];
}
function refuseUnlisted(protocol, item, command2) {
  if (!protocol.rows.some((row) => row.command === command2)) {
    return refuse("unknown-command", `the protocol ${protocol.name} has no command ${command2}`);
  }
  const listed = protocol.forbidden.find(
    (f) => f.command === command2 && expand(protocol, f.from).includes(item.state)
  );
  if (listed !== void 0) {
    return refuse("no-transition", listed.because, [unsatisfied("table", listed.because, listed.instead)]);
  }
  const because = protocol.states[item.state]?.final ? `${item.state} is final: nothing leads out of it` : `${command2} does not lead out of ${item.state}`;
  return refuse("no-transition", because);
}
function refuse(code, because, verdicts = []) {
  return { kind: "refused", code, because, verdicts };
}
function unique(verdicts) {
  const key = (v) => `${v.guard}\0${v.because}`;
  return [...new Map(verdicts.map((v) => [key(v), v])).values()];
}
var init_decide = __esm({
  "src/kernel/decide.ts"() {
    "use strict";
    init_command();
    init_guards();
    init_own();
    init_protocol();
    init_target();
    init_verdict();
  }
});

// src/kernel/standing.ts
function unasked(at2) {
  return { id: "", name: "", actor: ENGINE, at: at2, reason: "", arguments: {}, proof: void 0 };
}
var init_standing = __esm({
  "src/kernel/standing.ts"() {
    "use strict";
    init_actor();
  }
});

// src/kernel/settle.ts
function settle(protocol, item, world, at2) {
  const command2 = unasked(at2);
  const events = [];
  let current = item;
  if (!protocol.rows.some((row) => row.command === "")) return { item, events, loop: false };
  for (let n = 0; n <= Object.keys(protocol.states).length; n++) {
    const decision = decide(protocol, current, command2, world);
    if (decision.kind === "refused") return { item: current, events, loop: false };
    for (const event of decision.events) {
      current = evolve(protocol, current, event);
      events.push(event);
    }
  }
  return { item: current, events, loop: true };
}
var init_settle = __esm({
  "src/kernel/settle.ts"() {
    "use strict";
    init_decide();
    init_evolve();
    init_standing();
  }
});

// tests/properties/cast.ts
function above(team2, player) {
  const parent = find(team2, player.parent);
  return parent === void 0 ? [] : [parent.id, ...above(team2, parent)];
}
function kin(team2, one, other) {
  const climbs = (from, to) => {
    for (let at2 = from; at2 !== ""; at2 = find(team2, at2)?.parent ?? "") if (at2 === to) return true;
    return false;
  };
  return climbs(one, other) || climbs(other, one);
}
function strangersAmong(team2, players) {
  const [first, ...rest] = players;
  if (first === void 0) return 0;
  const apart3 = rest.filter((player) => !kin(team2, first.id, player.id));
  return Math.max(1 + strangersAmong(team2, apart3), strangersAmong(team2, rest));
}
function distance(team2, asker, builders, proven) {
  if (asker?.kind === "human") return proven ? 3 : 0;
  if (asker === void 0) return 0;
  const mine2 = above(team2, asker);
  let far = 2;
  for (const id of builders) {
    if (kin(team2, asker.id, id)) return 0;
    const builder = find(team2, id);
    if (builder !== void 0 && above(team2, builder).some((a) => mine2.includes(a))) far = 1;
  }
  return far;
}
function castsFor(roles) {
  const trades = roles.map((role) => agentOf(role, [role]));
  return [
    [
      agentOf("root", roles),
      agentOf("ann", roles, "root"),
      agentOf("tot", roles, "ann"),
      agentOf("ben", roles, "root"),
      agentOf("eve", roles),
      personOf("pat")
    ],
    [...trades, ...trades.slice(0, 2).map(({ id }) => agentOf(`${id}-hand`, [], id)), personOf("pat")],
    [...trades.map(({ id }) => agentOf(id, [id], "head")), agentOf("head", roles), personOf("pat", roles)],
    [agentOf("ann", roles), agentOf("hand", [], "ann"), agentOf("ben", roles), personOf("pat")],
    [agentOf("ann", roles), agentOf("tot", roles, "ann"), personOf("pat")],
    [personOf("pat", roles), agentOf("ann", roles.slice(0, 1))]
  ];
}
var agentOf, personOf, find, actorsOf;
var init_cast = __esm({
  "tests/properties/cast.ts"() {
    "use strict";
    agentOf = (id, roles, parent = "") => ({
      id,
      kind: "agent",
      roles,
      parent
    });
    personOf = (id, roles = []) => ({
      id,
      kind: "human",
      roles,
      parent: ""
    });
    find = (team2, id) => team2.find((player) => player.id === id);
    actorsOf = (team2) => team2.map((player) => ({
      id: player.id,
      kind: player.kind,
      roles: player.roles,
      ancestors: above(team2, player)
    }));
  }
});

// tests/properties/law.ts
function newGhost(state, settings) {
  const set = () => /* @__PURE__ */ new Set();
  return {
    ...{ state, back: state, attempt: 1, handedIn: false, settings, said: [] },
    ...{ builders: set(), reviewers: set(), testers: set(), verifiers: set() },
    ...{ assignees: set(), checkers: set(), leads: set(), known: /* @__PURE__ */ new Map(), members: /* @__PURE__ */ new Map() },
    ...{ failures: /* @__PURE__ */ new Map(), interventions: 0, rejections: 0 }
  };
}
function mayGiveAtGate(ghost, giving, reviewers, signers) {
  const { kind, outcome, actor, proven, team: team2 } = giving;
  if (kind === "proof-pack")
    return actor === void 0 && ["PASSED", "BLOCKED"].includes(outcome) && notTwice(ghost, giving);
  if (kind === "inconclusive") return actor === void 0 && outcome === "INDETERMINATE";
  const voice = kind === "waiver" ? ["waived"] : ["approve", "reject"];
  if (actor === void 0 || !voice.includes(outcome)) return false;
  if (may({ actor, proven }, "person")) return ["sign-off", "review", "approval", "waiver"].includes(kind);
  const roles = { "sign-off": signers, review: reviewers, waiver: signers }[kind] ?? [];
  return may({ actor, proven }, ...roles) && isApart(team2, actor, ghost.builders);
}
function rename(set, ...ids) {
  set.clear();
  for (const id of ids) set.add(id);
}
function learn(law, ghost, event, team2) {
  if (event.type === "recorded") {
    const asker = team2.find((p) => p.id === event.requestedBy);
    const far = distance(team2, asker, ghost.builders, event.proof !== "");
    const { kind, outcome, by } = event;
    if (kind === "codebase-review") ghost.known.set(kind, outcome);
    else ghost.said.push({ kind, outcome, by, far });
    return;
  }
  if (event.type === "noted") {
    const group = ghost.members.get(event.group) ?? /* @__PURE__ */ new Map();
    ghost.members.set(event.group, group);
    if (event.state === "") group.delete(event.member);
    else group.set(event.member, { state: event.state, category: event.category });
    if (event.group === "tasks" && event.state === "verified" && event.moves.length > 0) {
      ghost.handedIn = false;
      stale(ghost);
    }
    return;
  }
  law.learn(ghost, event);
  if (event.from !== event.to && !law.escalations.includes(event.from)) ghost.back = event.from;
  ghost.state = event.to;
}
var may, outsiders, isApart, nobodyElse, LEVELS, demanded, lastSaid, says, passed2, notTwice, dependenciesDone4, stale;
var init_law = __esm({
  "tests/properties/law.ts"() {
    "use strict";
    init_cast();
    may = ({ actor, proven }, ...roles) => roles.some((role) => role === "person" ? actor.kind === "human" && proven : actor.roles.includes(role));
    outsiders = (team2, role, marked2, how = "kin") => team2.filter(
      (p) => p.roles.includes(role) && ![...marked2].some((m) => how === "kin" ? kin(team2, m, p.id) : m === p.id)
    );
    isApart = (team2, { id }, marked2) => marked2.size > 0 && ![...marked2].some((m) => kin(team2, m, id));
    nobodyElse = (team2, role, marked2, how = "kin") => strangersAmong(
      team2,
      team2.filter((p) => p.roles.includes(role))
    ) < 2 && outsiders(team2, role, marked2, how).length === 0;
    LEVELS = ["automated", "sibling", "other-lineage", "human"];
    demanded = ({ settings }) => Math.max(0, LEVELS.indexOf(String(settings.independence ?? "")));
    lastSaid = (ghost, kind) => ghost.said.findLast((s) => s.kind === kind);
    says = (ghost, kind, outcome) => lastSaid(ghost, kind)?.outcome === outcome;
    passed2 = (ghost) => says(ghost, "proof-pack", "PASSED") && (lastSaid(ghost, "proof-pack")?.far ?? -1) >= demanded(ghost);
    notTwice = (ghost, { kind, asker, proven, team: team2 }) => {
      const far = distance(team2, asker, ghost.builders, proven);
      return !ghost.said.some((s) => s.kind === kind && (s.far >= demanded(ghost) || s.far >= far));
    };
    dependenciesDone4 = (ghost) => [...ghost.members.get("dependencies")?.values() ?? []].every(
      ({ category }) => ["CONFIRMED", "CLOSED"].includes(category)
    );
    stale = (ghost) => {
      ghost.said = [];
    };
  }
});

// tests/properties/board.ts
function openBoard(openings, cast, dependants, watch) {
  const pieces = openings.map(openPiece);
  const board = {
    ...{ pieces, dependants, cast, linked: /* @__PURE__ */ new Set(), out: /* @__PURE__ */ new Set(), minutes: 0, listBlocked: false },
    ...watch
  };
  for (const [id, waiting] of Object.entries(dependants))
    for (const target of waiting) tell(board, id, target, "dependants");
  const goal3 = pieces.find(({ id }) => id === "goal");
  if (goal3 !== void 0) {
    for (const { id } of pieces) if (id !== "goal") join(board, id);
  }
  return board;
}
function openPiece({ id, table, law, settings }, number) {
  const opened2 = {
    ...{ type: "opened", at: new Date(START).toISOString(), by: "pat", state: table.initial, number },
    protocol: { name: table.name, version: table.version, digest: "pinned" },
    ...{ list: "main", kind: "code", title: id, settings, legacy: false, facts: {} }
  };
  const item = evolve(table, UNOPENED, opened2);
  return { id, table, law, ghost: newGhost(table.initial, settings), log: [opened2], item };
}
function put(board, piece, event, ask) {
  const before = piece.item;
  piece.item = evolve(piece.table, before, event);
  piece.log.push(event);
  const team2 = teamOf(board);
  board.see({ piece, before, event, after: piece.item, ask, team: team2 });
  if (event.type === "moved" || event.type === "recorded" || event.type === "noted") {
    if (event.type === "moved" && event.command === "" && event.row >= 0) {
      const to = piece.law.settles(piece.ghost);
      if (to !== event.to) board.breach("law", `${piece.id} moved on to ${event.to} by itself, not ${to}`);
    }
    learn(piece.law, piece.ghost, event, team2);
    if (event.type === "noted" && event.group === "tasks" && event.state !== "")
      hearOf(board, piece, event.member);
  }
}
function hearOf(board, { ghost }, task) {
  for (const id of pieceOf(board, task)?.ghost.builders ?? []) ghost.builders.add(id);
}
function transact(board, piece, events, ask) {
  const queue = [{ piece, events }];
  for (let next = queue.shift(); next !== void 0; next = queue.shift()) {
    const from = next.piece.log.length;
    for (const event of next.events) put(board, next.piece, event, next.piece === piece ? ask : void 0);
    const settled = settle(next.piece.table, next.piece.item, worldOf(board), now(board));
    if (settled.loop) return board.breach("law", `${next.piece.id} never comes to rest`);
    for (const event of settled.events) put(board, next.piece, event, void 0);
    const rest = next.piece.law.settles(next.piece.ghost);
    if (rest !== "") board.breach("law", `${next.piece.id} stays, and should have moved on to ${rest}`);
    const moves = next.piece.log.slice(from).filter((e) => e.type === "moved");
    queue.push(...echoes(board, next.piece, moves));
  }
}
function* echoes(board, piece, moves) {
  for (const policy of piece.table.policies) {
    if (policy.note === "" || !moves.some((move) => applies(policy, move))) continue;
    for (const id of targetsOf2(board, piece, policy.tell)) {
      const target = pieceOf(board, id);
      if (target !== void 0) yield { piece: target, events: [noteFrom(board, piece, policy)] };
    }
  }
}
function targetsOf2({ dependants, linked }, { id }, link) {
  if (link === "dependants") return dependants[id] ?? [];
  return link === "goal" && linked.has(id) ? ["goal"] : [];
}
function tell(board, from, to, link) {
  const [source, target] = [pieceOf(board, from), pieceOf(board, to)];
  const policy = source?.table.policies.find((p) => p.tell === link);
  if (source === void 0 || target === void 0 || policy === void 0) return;
  transact(board, target, [{ ...noteFrom(board, source, policy), moves: [] }]);
}
function join(board, task) {
  board.linked.add(task);
  tell(board, task, "goal", "goal");
}
function leave(board, task) {
  const goal3 = pieceOf(board, "goal");
  const source = pieceOf(board, task);
  const policy = source?.table.policies.find((p) => p.tell === "goal");
  board.linked.delete(task);
  if (goal3 === void 0 || source === void 0 || policy === void 0) return;
  const note = noteFrom(board, source, policy);
  transact(board, goal3, [{ ...note, state: "", category: "", marks: {}, moves: [] }]);
}
var START, now, teamOf, worldOf, pieceOf, applies, handleOf, noteFrom;
var init_board = __esm({
  "tests/properties/board.ts"() {
    "use strict";
    init_react();
    init_evolve();
    init_settle();
    init_work_item();
    init_cast();
    init_law();
    START = Date.parse("2026-01-05T10:00:00.000Z");
    now = ({ minutes }) => new Date(START + minutes * 6e4).toISOString();
    teamOf = ({ cast, out }) => cast.map((player) => out.has(player.id) ? { ...player, roles: [] } : player);
    worldOf = (board) => ({
      roster: actorsOf(teamOf(board)),
      groups: {
        list: { other: { state: board.listBlocked ? "blocked" : "verified", category: "REWORK", asked: "" } }
      }
    });
    pieceOf = (board, id) => board.pieces.find((piece) => piece.id === id);
    applies = ({ enters: enters2, commands }, { to, command: command2 }) => enters2.includes("*") || enters2.includes(to) || command2 !== "" && commands.includes(command2);
    handleOf = ({ id, table, item }) => ({ id, display: id, protocol: table, item });
    noteFrom = (board, piece, policy) => noteOf(handleOf(piece), policy, now(board));
  }
});

// src/kernel/record.ts
function record(protocol, item, command2, finding, world) {
  const rows = protocol.evidence.map((row, index) => ({ row, index })).filter(({ row }) => row.kind === finding.kind);
  if (rows.length === 0)
    return refuse2("unknown-command", `the protocol ${protocol.name} knows no ${finding.kind}`);
  const here = rows.filter(({ row }) => expand(protocol, row.in).includes(item.state));
  if (here.length === 0)
    return refuse2("no-transition", `${an(finding.kind)} cannot be given while the item is ${stateOf2(item)}`);
  const fitting2 = here.filter(({ row }) => row.outcomes.includes(finding.outcome));
  if (fitting2.length === 0) {
    const legal = here.flatMap(({ row }) => row.outcomes).join(" or ");
    return refuse2("bad-arguments", `${an(finding.kind)} says ${legal}, not ${finding.outcome}`);
  }
  const allowed = fitting2.filter(({ row }) => mayTake(protocol, row.by, item.state, command2));
  if (allowed.length === 0) {
    const roles = [...new Set(fitting2.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse2("wrong-role", `Only ${roles.join(" or ")} may give ${an(finding.kind)}`);
  }
  const context = { counters: protocol.counters, item, command: command2, world, gathered: NOTHING_GATHERED };
  const level = levelOf(item, finding, command2, world);
  const judged2 = allowed.map((entry) => ({
    ...entry,
    verdicts: [
      ...entry.row.requires.map((guard) => judge(guard, context)),
      ...notTwice2(entry.row, item, command2.actor.id, level)
    ]
  }));
  const open = judged2.find(({ verdicts }) => verdicts.every(opens));
  if (open === void 0) {
    const closed = judged2.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v)));
    return { ...refuse2("gate-closed", `this ${finding.kind} cannot be recorded`), verdicts: closed };
  }
  const event = eventOf(open, command2, finding, level);
  return { kind: "accepted", events: [event], verdicts: open.verdicts };
}
function eventOf({ row, index }, command2, finding, level) {
  return {
    type: "recorded",
    at: command2.at,
    by: command2.actor.id,
    row: index,
    kind: row.kind,
    outcome: finding.outcome,
    requestedBy: finding.asker.id,
    independence: level,
    facts: finding.facts,
    proof: command2.proof?.id ?? ""
  };
}
function levelOf(item, { asker }, command2, world) {
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  return independence(asker, builders, command2.proof !== void 0);
}
function notTwice2(row, item, by, level) {
  if (!row.once) return [];
  const minimum = demandedLevel(item.settings.independence);
  const bars = (e) => atLeast(e.independence, minimum) || atLeast(e.independence, level);
  const earlier = freshEvidence(item, row.kind).filter((e) => (!row.each || e.by === by) && bars(e));
  if (earlier.length === 0) return [];
  const because = `there is already a ${row.kind} on this ${row.on}, saying ${earlier.at(-1)?.outcome}`;
  return [unsatisfied("once", because, `only a changed ${row.on} can be judged again`)];
}
function refuse2(code, because) {
  return { kind: "refused", code, because, verdicts: [] };
}
var stateOf2;
var init_record = __esm({
  "src/kernel/record.ts"() {
    "use strict";
    init_actor();
    init_an();
    init_command();
    init_context();
    init_decide();
    init_freshness();
    init_guards();
    init_protocol();
    init_verdict();
    stateOf2 = ({ state }) => state.replaceAll("_", " ");
  }
});

// tests/given.ts
import { expect } from "vitest";
var NOW, PROOF;
var init_given = __esm({
  "tests/given.ts"() {
    "use strict";
    NOW = "2026-01-05T10:00:00.000Z";
    PROOF = {
      id: "proof-1",
      digest: "d",
      purpose: "test",
      at: NOW,
      channel: "terminal"
    };
  }
});

// tests/properties/exits.ts
function hasExit({ table, item, ghost }, cast) {
  if (ENDS[table.name]?.includes(item.state) || ghost.known.has("superseded")) return true;
  let moments = [{ ...item, members: {} }];
  const known = /* @__PURE__ */ new Set();
  for (let depth = 0; depth < DEEPEST; depth++) {
    const later = [];
    for (const next of onward(table, moments, cast, ghost.handedIn)) {
      if (next.state !== item.state || next.evidence.some(({ kind }) => kind === "superseded")) return true;
      const key = JSON.stringify([next.marks, next.evidence.slice(item.evidence.length)]);
      if (!known.has(key)) later.push(next);
      known.add(key);
    }
    moments = later.slice(0, MOST);
  }
  return false;
}
function* onward(table, moments, cast, handedIn) {
  for (const item of moments) {
    const after = (events) => events.reduce((i, e) => evolve(table, i, e), item);
    for (const events of steps(table, item, cast)) yield after(events);
    for (const [row, outcome] of saidIn(table, item, handedIn))
      for (const events of findings(table, item, cast, row, outcome)) yield after(events);
  }
}
function* steps(table, item, cast) {
  const rows = table.rows.filter((row) => row.command !== "" && expand(table, row.from).includes(item.state));
  const probes = Object.fromEntries(
    table.probes.map((name) => [name, { status: "satisfied", because: name, fix: "" }])
  );
  const targets = [...cast.map(({ id }) => id), ...Object.keys(table.states)];
  const rest = { summary: "done", notes: "tried", guidance: "so", commit: "c", task: "none" };
  for (const name of new Set(rows.map((row) => row.command))) {
    for (const hand of hands(cast)) {
      for (const to of rows.some((row) => row.command === name && asks(row)) ? targets : [""]) {
        const command2 = {
          ...{ id: "", name, at: item.enteredAt, reason: "said", arguments: { ...rest, to } },
          ...hand
        };
        const world = { roster: actorsOf(cast), groups: {} };
        const decision = decide(table, item, command2, world, {
          ...{ probes, facts: {}, subjects: { commit: "next", plan: "next" } }
        });
        if (decision.kind === "accepted") yield decision.events;
      }
    }
  }
}
function* findings(table, item, cast, { kind, by }, outcome) {
  for (const { actor: asker, proof } of hands(cast)) {
    const actor = by.includes("engine") ? ENGINE : asker;
    const command2 = { id: "", name: kind, at: item.enteredAt, reason: "", arguments: {}, actor, proof };
    const world = { roster: actorsOf(cast), groups: {} };
    const decision = record(table, item, command2, { kind, outcome, facts: {}, asker }, world);
    if (decision.kind === "accepted") yield decision.events;
  }
}
var ENDS, DEEPEST, MOST, hands, asks, saidIn;
var init_exits = __esm({
  "tests/properties/exits.ts"() {
    "use strict";
    init_actor();
    init_decide();
    init_evolve();
    init_protocol();
    init_record();
    init_given();
    init_cast();
    ENDS = {
      "two-phase": ["completed"],
      lifecycle: ["completed", "failed"],
      "goal-task": ["verified", "abandoned"],
      goal: ["verified", "cancelled"]
    };
    DEEPEST = 4;
    MOST = 60;
    hands = (cast) => actorsOf(cast).map((actor) => ({ actor, proof: actor.kind === "human" ? PROOF : void 0 }));
    asks = ({ takes: takes2, to }) => takes2.includes("to") || /^[*@]/.test(to);
    saidIn = (table, item, handedIn) => table.evidence.filter((row) => expand(table, row.in).includes(item.state) && (handedIn || !row.by.includes("engine"))).flatMap((row) => row.outcomes.map((outcome) => [row, outcome]));
  }
});

// tests/properties/law-goal-task.ts
function hatFits(ghost, { id }, hat, but = "") {
  const worn = {
    ...{ builder: ghost.builders, reviewer: ghost.reviewers, tester: ghost.testers, lead: ghost.leads }
  };
  const pairs = String(ghost.settings.hats ?? PAIRS2).split(" ");
  return pairs.filter((pair) => pair !== but).every((pair) => {
    const [one = "", other = ""] = pair.split("-");
    const clash = one === hat ? other : other === hat ? one : "";
    return !(worn[clash]?.has(id) ?? false);
  });
}
function mayVerify(ghost, ask) {
  const { id } = ask.actor;
  const { builders, reviewers } = ghost;
  const large2 = isLarge(ask);
  const hat = hatFits(ghost, ask.actor, "tester", large2 ? "" : "reviewer-tester");
  const another = hat && (!large2 || reviewers.size > 0 && !reviewers.has(id));
  if (may(ask, "person") && builders.size > 0 && !builders.has(id) && another) return true;
  const role = large2 ? may(ask, "verifier") : may(ask, "verifier", "lead");
  return role && isApart(ask.team, ask.actor, builders) && another && byTheChecker2(ghost, ask);
}
function allows(ghost, ask) {
  if (ask.command === "abandon")
    return OPEN.includes(ghost.state) && may(ask, "lead", "person") && ask.reason !== "" ? "abandoned" : "";
  return RULES[`${ghost.state} ${ask.command}`]?.(ghost, ask) || "";
}
function learnSubmission(ghost, { by, arguments: given }) {
  ghost.builders.add(by);
  for (const helper of (given.helpers ?? "").split(",")) if (helper.trim()) ghost.builders.add(helper.trim());
  ghost.handedIn = true;
  stale(ghost);
}
function learnRejection(ghost) {
  ghost.rejections = Math.min(ghost.rejections + 1, 2);
  ghost.reviewers.clear();
  if (ghost.rejections >= 2 || ghost.known.get("escalation") === "triaged")
    ghost.known.set("escalation", "open");
}
function learnTriage(ghost, { command: command2, by, arguments: given }) {
  ghost.rejections = 0;
  ghost.known.set("escalation", "triaged");
  if (command2 !== "intervene") ghost.leads.add(by);
  if (command2 === "reassign-checker") {
    rename(ghost.checkers, given.to ?? "");
    ghost.known.set("checker", "named");
  } else rename(ghost.assignees, command2 === "intervene" ? by : given.to ?? "");
}
function learn2(ghost, event) {
  const { command: command2, by, arguments: given } = event;
  switch (command2) {
    case "assign":
      ghost.leads.add(by);
      return rename(ghost.assignees, given.to ?? "");
    case "start":
      ghost.builders.add(by);
      return;
    case "submit":
      return learnSubmission(ghost, event);
    case "approve":
      ghost.reviewers.add(by);
      return;
    case "verify":
      ghost.testers.add(by);
      return;
    case "reject-verification":
      return learnRejection(ghost);
    case "reassign-builder":
    case "reassign-checker":
    case "intervene":
      return learnTriage(ghost, event);
    case "reopen":
      if ((given.to ?? "") !== "") rename(ghost.assignees, given.to ?? "");
      ghost.reviewers.clear();
      ghost.testers.clear();
      ghost.rejections = 0;
      ghost.known.delete("escalation");
      return stale(ghost);
  }
}
var OPEN, WORK, has, escalated2, isLarge, PAIRS2, byTheChecker2, triage, assign, RULES, mayGive, GOAL_TASK_LAW;
var init_law_goal_task = __esm({
  "tests/properties/law-goal-task.ts"() {
    "use strict";
    init_cast();
    init_law();
    OPEN = ["pending", "assigned", "in_progress", "review", "completed"];
    WORK = ["claimed-work", "evidence-files", "evidence-types", "helpers-fit"];
    has = ({ given }, name) => (given[name] ?? "").trim() !== "";
    escalated2 = ({ known }) => known.get("escalation") === "open";
    isLarge = ({ team: team2 }) => strangersAmong(
      team2,
      team2.filter((p) => p.kind === "agent" && p.roles.length > 0)
    ) >= 3;
    PAIRS2 = "builder-reviewer builder-tester reviewer-tester";
    byTheChecker2 = ({ known, checkers }, { actor }) => known.get("checker") !== "named" || checkers.has(actor.id);
    triage = (name) => {
      const by = name === "intervene" ? ["lead"] : ["lead", "person"];
      return (g2, a) => {
        const fits2 = { "reassign-builder": "assignee-fits", "reassign-checker": "checker-fits" }[name];
        const named = fits2 === void 0 || has(a, "to") && a.inOrder(fits2);
        return may(a, ...by) && escalated2(g2) && named && a.reason !== "" && "in_progress";
      };
    };
    assign = (g2, a) => may(a, "lead", "person") && !escalated2(g2) && has(a, "to") && a.inOrder("assignee-fits") && g2.state;
    RULES = {
      "pending assign": (_, a) => may(a, "lead", "person") && has(a, "to") && a.inOrder("assignee-fits") && "assigned",
      "assigned assign": assign,
      "in_progress assign": assign,
      "assigned start": (g2, a) => may(a, "builder") && g2.assignees.has(a.actor.id) && dependenciesDone4(g2) && "in_progress",
      "in_progress submit": (g2, a) => may(a, "builder", "lead") && g2.assignees.has(a.actor.id) && !escalated2(g2) && has(a, "summary") && WORK.every(a.inOrder) && "review",
      "review approve": (g2, a) => may(a, "reviewer", "lead", "person") && isApart(a.team, a.actor, g2.builders) && hatFits(g2, a.actor, "reviewer") && "completed",
      "review reject": (g2, a) => may(a, "reviewer", "lead", "person") && isApart(a.team, a.actor, g2.builders) && a.reason !== "" && "in_progress",
      "completed verify": (g2, a) => mayVerify(g2, a) && passed2(g2) && "verified",
      "completed reject-verification": (g2, a) => may(a, "verifier", "lead", "person") && isApart(a.team, a.actor, g2.builders) && byTheChecker2(g2, a) && a.reason !== "" && "in_progress",
      "in_progress reassign-builder": triage("reassign-builder"),
      "in_progress reassign-checker": triage("reassign-checker"),
      "in_progress intervene": triage("intervene"),
      "verified reopen": (_, a) => may(a, "lead", "person") && a.inOrder("assignee-fits") && a.reason !== "" && "in_progress"
    };
    mayGive = (ghost, giving) => ghost.state === "completed" && mayGiveAtGate(ghost, giving, ["verifier", "reviewer"], ["verifier", "reviewer", "lead"]);
    GOAL_TASK_LAW = { allows, mayGive, learn: learn2, settles: () => "", escalations: [] };
  }
});

// tests/properties/readings.ts
var WORK2, person, twoPhase2, lifecycle2, goalTask2, goal2, READINGS;
var init_readings = __esm({
  "tests/properties/readings.ts"() {
    "use strict";
    WORK2 = ["claimed-work", "evidence-files", "evidence-types"];
    person = (...roles) => [...roles, "person"];
    twoPhase2 = {
      done: ["verified", "completed"],
      handsIn: ["claim"],
      contributes: ["claim"],
      approves: "",
      passes: "verify",
      lands: "complete",
      sendsBack: ["claimed block"],
      overrides: [],
      assigns: { dispatch: "to" },
      assigned: ["in_progress start", "in_progress claim"],
      frees: ["release", "retry"],
      subjects: ["commit", "item"],
      looks: { dispatch: ["assignee-fits"], claim: WORK2, complete: ["proof-pack"] },
      by: {
        dispatch: ["workflow-orchestrator"],
        start: ["specialist"],
        claim: ["specialist"],
        release: ["workflow-orchestrator"],
        verify: person("verification-agent"),
        block: person("verification-agent"),
        retry: ["workflow-orchestrator"],
        complete: person("workflow-orchestrator"),
        supersede: person("workflow-orchestrator"),
        "sign-off": person("verification-agent", "quality-validator", "workflow-orchestrator"),
        review: person("verification-agent", "quality-validator"),
        approval: person(),
        waiver: person("verification-agent", "quality-validator", "workflow-orchestrator", "specialist"),
        "failure-review": person("workflow-orchestrator"),
        quality: person("quality-validator")
      },
      allowances: {}
    };
    lifecycle2 = {
      done: ["completed"],
      handsIn: ["finish", "ask-review"],
      contributes: ["begin", "finish", "ask-review"],
      approves: "",
      passes: "approve",
      lands: "committed",
      sendsBack: ["quality_review fail", "committing fail"],
      overrides: ["return", "rollback", "skip", "resolve"],
      assigns: {},
      assigned: [],
      frees: [],
      subjects: ["commit", "item", "plan"],
      looks: {
        propose: ["new-approach"],
        finish: WORK2,
        "ask-review": ["evidence-files", "self-checks"],
        committed: ["commit-exists", "proof-pack"]
      },
      by: {
        assign: ["build-orchestrator"],
        plan: ["solution-validator"],
        propose: ["fullstack-developer"],
        validate: ["solution-validator"],
        begin: ["fullstack-developer"],
        finish: ["fullstack-developer"],
        "ask-review": ["fullstack-developer"],
        approve: person("quality-monitor"),
        commit: ["git-manager"],
        committed: ["git-manager"],
        "pending fail": ["build-orchestrator"],
        "assigned fail": ["solution-validator"],
        "planning fail": ["solution-validator"],
        "validated fail": ["fullstack-developer"],
        "in_progress fail": ["fullstack-developer"],
        "testing fail": ["fullstack-developer"],
        "quality_review fail": ["quality-monitor"],
        "approved fail": ["git-manager"],
        "committing fail": ["git-manager"],
        return: ["cto"],
        rollback: ["cto"],
        skip: ["cto"],
        escalate: ["cto"],
        resolve: person(),
        abandon: person(),
        "codebase-review": ["cto"],
        "sign-off": person("quality-monitor", "cto", "build-orchestrator"),
        review: person("quality-monitor", "cto"),
        approval: person(),
        waiver: person("quality-monitor", "cto", "build-orchestrator")
      },
      allowances: {
        ...{ pending: 60, assigned: 15, planning: 30, validated: 15, in_progress: 240, testing: 30 },
        ...{ quality_review: 30, approved: 10, committing: 15, cto_intervention: 60 }
      }
    };
    goalTask2 = {
      done: ["verified"],
      handsIn: ["submit"],
      contributes: ["start", "submit"],
      approves: "approve",
      passes: "verify",
      lands: "",
      sendsBack: ["review reject", "completed reject-verification", "verified reopen"],
      overrides: [],
      assigns: { assign: "to", "reassign-builder": "to", intervene: "actor", reopen: "to" },
      assigned: ["assigned start", "in_progress submit"],
      frees: [],
      subjects: ["commit", "item"],
      looks: {
        assign: ["assignee-fits"],
        submit: [...WORK2, "helpers-fit"],
        "reassign-builder": ["assignee-fits"],
        "reassign-checker": ["checker-fits"],
        reopen: ["assignee-fits"]
      },
      by: {
        assign: person("lead"),
        start: ["builder"],
        submit: ["builder", "lead"],
        approve: person("reviewer", "lead"),
        reject: person("reviewer", "lead"),
        verify: person("verifier", "lead"),
        "reject-verification": person("verifier", "lead"),
        "reassign-builder": person("lead"),
        "reassign-checker": person("lead"),
        intervene: ["lead"],
        reopen: person("lead"),
        abandon: person("lead"),
        "sign-off": person("verifier", "reviewer", "lead"),
        review: person("verifier", "reviewer"),
        approval: person(),
        waiver: person("verifier", "reviewer", "lead")
      },
      allowances: {}
    };
    goal2 = {
      done: ["verified"],
      handsIn: ["integrate"],
      contributes: [],
      approves: "",
      passes: "verify-goal",
      lands: "",
      sendsBack: ["pending_verify reject-goal"],
      overrides: [],
      assigns: {},
      assigned: [],
      frees: [],
      subjects: ["commit"],
      looks: { link: ["linkable"], unlink: ["linkable"], integrate: ["integrated"] },
      by: Object.fromEntries(
        [
          ...["link", "unlink", "integrate", "verify-goal", "reject-goal", "cancel"],
          ...["sign-off", "review", "waiver"]
        ].map((command2) => [command2, person("lead")])
      ),
      allowances: {}
    };
    READINGS = {
      "two-phase": twoPhase2,
      lifecycle: lifecycle2,
      "goal-task": goalTask2,
      goal: { ...goal2, by: { ...goal2.by, approval: person() } }
    };
  }
});

// tests/properties/invariants.ts
function contributors({ table, log, ghost }, { contributes }) {
  if (table.name === "goal") return ghost.builders;
  const found = log.flatMap((event) => {
    if (!takes(event, contributes) || !isMove(event)) return [];
    const helpers = event.command === "submit" ? (event.arguments.helpers ?? "").split(",") : [];
    return [event.by, ...helpers.map((name) => name.trim()).filter((name) => name !== "")];
  });
  return new Set(found);
}
function approved(log, from, to, { approves }) {
  return log.slice(from, to).some((e) => takes(e, [approves]));
}
function nobodyOutside(team2, role, inside) {
  const holders = team2.filter((p) => p.roles.includes(role));
  return strangersAmong(team2, holders) < 2 && outsiders(team2, role, new Set(inside)).length === 0;
}
function asThird({ piece, team: team2, after, ask }, by) {
  const large2 = isLarge({ team: team2 });
  const approver = approvers(piece).includes(by);
  if (large2 && approver) return `${by} verifies what they approved`;
  if (large2 && isWeak(after)) return `the verdict of ${by} is marked as weak`;
  const weak = !large2 && (ask?.proven !== true || approver);
  return weak && !isWeak(after) ? `the verdict of ${by} is not marked as weak` : "";
}
function approvers({ log }) {
  const from = last(log, (e) => takes(e, ["submit"]));
  return log.slice(from + 1).flatMap((e) => isMove(e) && e.command === "approve" ? [e.by] : []);
}
function holderBy(event, { assigns, frees }) {
  if (frees.includes(event.command)) return "";
  const how = assigns[event.command];
  if (how === void 0) return void 0;
  return how === "actor" ? event.by : event.arguments.to || void 0;
}
function miscounted({ counters }, ghost) {
  const kept = /* @__PURE__ */ new Set([
    ...Object.keys(counters),
    ...[...ghost.failures.keys()].map((state) => `failures@${state}`),
    ...["interventions", "rejections"]
  ]);
  const wrong = [...kept].find((key) => {
    const n = counters[key] ?? 0;
    return n !== countIn(ghost, key) || n > (key.startsWith("failures") ? 3 : 2);
  });
  return wrong === void 0 ? "" : `${wrong} is ${counters[wrong] ?? 0}, and the log tells ${countIn(ghost, wrong)}`;
}
function countIn(ghost, key) {
  if (key === "interventions") return ghost.interventions;
  if (key === "rejections") return ghost.rejections;
  return ghost.failures.get(key.slice("failures@".length)) ?? 0;
}
function broken(seen) {
  const reading = READINGS[seen.piece.table.name];
  if (reading === void 0) return [{ rule: "law", what: `nothing is known of ${seen.piece.table.name}` }];
  return Object.entries(LOOKS).flatMap(([rule, look]) => {
    const what = look(seen, reading);
    return what === "" ? [] : [{ rule, what: `${seen.piece.id}: ${what}` }];
  });
}
var isMove, isFinding, last, takes, enters, i1, back, i2, isWeak, isGoal, i3, i4, i5, wentBack, VOICES, i6, i7, i8, i9, i12, THRESHOLDS, i13, LOOKS;
var init_invariants = __esm({
  "tests/properties/invariants.ts"() {
    "use strict";
    init_cast();
    init_law();
    init_law_goal_task();
    init_readings();
    isMove = (event) => event.type === "moved";
    isFinding = (event) => event.type === "recorded";
    last = (log, fits2) => log.findLastIndex(fits2);
    takes = (event, commands) => isMove(event) && commands.includes(event.command);
    enters = ({ event }, { done: done3 }) => isMove(event) && event.from !== event.to && done3.includes(event.to);
    i1 = (seen, reading) => {
      if (!enters(seen, reading)) return "";
      const { log } = seen.piece;
      const from = last(log, (e) => takes(e, reading.handsIn));
      if (from < 0) return "done, and nothing was ever handed in";
      const pack = last(log, (e) => isFinding(e) && e.kind === "proof-pack");
      const found = log[pack];
      if (pack < from || found === void 0 || !isFinding(found) || found.outcome !== "PASSED")
        return "done, and nothing passed since it was handed in";
      const verdict = last(log, (e) => takes(e, [reading.passes]));
      if (verdict < pack) return "done, and nobody passed what was found";
      if (reading.approves !== "" && !approved(log, from, pack, reading)) return "verified without an approval";
      const moved2 = log.slice(pack + 1).some((e) => isMove(e) && back(e, reading));
      return moved2 ? "done, and it was sent back since" : "";
    };
    back = (e, { sendsBack }) => sendsBack.includes(`${e.origin} ${e.command}`);
    i2 = (seen, reading) => {
      const { piece, event, team: team2 } = seen;
      if (!isMove(event) || event.row < 0) return "";
      const inside = contributors(piece, reading);
      const close = [...inside].filter((id) => kin(team2, id, event.by));
      if (event.command === reading.approves && close.length > 0) return `${event.by} approves the own work`;
      if (event.command !== reading.passes || reading.passes === "") return "";
      if (inside.size === 0) return "passed, and nobody had built it";
      const third2 = event.command === "verify" && isGoal(piece) ? asThird(seen, event.by) : "";
      if (third2 !== "" || close.length === 0) return third2;
      const role = { "two-phase": "verification-agent", lifecycle: "quality-monitor" }[piece.table.name];
      const alone2 = role !== void 0 && nobodyOutside(team2, role, inside);
      return alone2 ? "" : `${event.by} passes what ${close[0]} built`;
    };
    isWeak = ({ evidence: evidence3, subjects }) => evidence3.some((e) => e.kind === "relaxed" && e.generation === subjects.commit?.generation);
    isGoal = ({ table }) => table.name.startsWith("goal");
    i3 = (seen, reading) => {
      if (!enters(seen, reading)) return "";
      const { log } = seen.piece;
      const rejected = last(log, (e) => isMove(e) && back(e, reading));
      if (rejected < 0) return "";
      const again = last(log, (e) => takes(e, [...reading.handsIn, ...reading.overrides]));
      if (again < rejected) return "done after a rejection, with nothing handed in anew";
      const fresh = log.slice(rejected, again).some((e) => e.type === "noted" && e.state === "verified" && e.moves.length > 0);
      return seen.piece.table.name === "goal" && !fresh ? "the goal was sent back, and no task was verified since" : "";
    };
    i4 = ({ piece, event, before, after }, reading) => {
      const holders = after.marks.assignee ?? [];
      if (holders.length > 1) return `${holders.join(" and ")} have the work at once`;
      if (!isMove(event) || !reading.assigned.includes(`${event.origin} ${event.command}`)) return "";
      const given = piece.log.slice(0, -1).findLast((e) => isMove(e) && holderBy(e, reading) !== void 0);
      const holder = given === void 0 ? "" : holderBy(given, reading);
      if (holder !== event.by) return `${event.by} works on what ${holder || "nobody"} has`;
      return after.version === before.version + 1 ? "" : "a write left a version out";
    };
    i5 = ({ piece, event, before, after }) => {
      const { ghost, log } = piece;
      const steps2 = before.steps.length + (isMove(event) ? 1 : 0);
      if (after.version !== log.length || after.steps.length !== steps2) return "history was changed";
      if (after.attempt < before.attempt || before.attempt !== ghost.attempt)
        return `attempt ${before.attempt}, and the log tells ${ghost.attempt}`;
      const old = Object.keys(before.subjects).find((name) => wentBack(before, after, name));
      return old === void 0 ? miscounted(before, ghost) : `${old} went back`;
    };
    wentBack = (before, after, name) => (after.subjects[name]?.generation ?? -1) < (before.subjects[name]?.generation ?? 0);
    VOICES = ["review", "sign-off", "approval", "waiver", "quality"];
    i6 = ({ piece, before, after }, reading) => {
      const lost = [...contributors(piece, reading)].find((id) => !after.marks.builder?.includes(id));
      if (lost !== void 0) return `${lost} built some of it, and is forgotten`;
      const gone = before.evidence.find((e, n) => {
        const now2 = after.evidence[n];
        return now2 === void 0 || VOICES.includes(e.kind) && now2.generation !== e.generation;
      });
      return gone === void 0 ? "" : `the ${gone.kind} of ${gone.by} is gone`;
    };
    i7 = ({ event, ask, team: team2 }, { by }) => {
      if (isMove(event) && event.command !== "") {
        const roles = by[`${event.origin} ${event.command}`] ?? by[event.command] ?? [];
        const allowed2 = ask !== void 0 && may(ask, ...roles);
        return allowed2 ? "" : `${event.by} had no right to ${event.command}`;
      }
      if (!isFinding(event) || event.by === "engine") return "";
      const actor = team2.find(({ id }) => id === event.by);
      const allowed = actor !== void 0 && may({ actor, proven: event.proof !== "" }, ...by[event.kind] ?? []);
      return allowed ? "" : `${event.by} had no right to give a ${event.kind}`;
    };
    i8 = ({ after }, { subjects }) => {
      const lost = after.evidence.find((e) => {
        const subject = after.subjects[e.on];
        if (!subjects.includes(e.on) || subject === void 0 || e.generation > subject.generation) return true;
        return e.generation === subject.generation && e.digest !== subject.digest;
      });
      return lost === void 0 ? "" : `the ${lost.kind} is about a ${lost.on || "thing"} that is not there`;
    };
    i9 = ({ piece, event, before, after }, reading) => {
      if (before.settings !== after.settings || before.protocol !== after.protocol)
        return "the rules were changed";
      if (!isMove(event) || event.command !== reading.passes) return "";
      const claim = piece.log.findLast((e) => takes(e, reading.handsIn));
      const pack = before.evidence.findLast((e) => e.kind === "proof-pack");
      const frozen = claim !== void 0 && isMove(claim) ? claim.facts.criteria : void 0;
      return pack?.facts.criteria === frozen ? "" : "passed by other criteria than those of the claim";
    };
    i12 = ({ event, ask, before, after }, reading) => {
      if (!isMove(event)) return before.state === after.state ? "" : `${event.type} moved the item`;
      if (event.row < 0) return "";
      const blind = (reading.looks[event.command] ?? []).find((probe2) => ask?.inOrder(probe2) !== true);
      if (blind !== void 0) return `${event.command} although ${blind} was not in order`;
      if (event.command !== reading.passes) return "";
      const pack = before.evidence.findLast((e) => e.kind === "proof-pack");
      const fresh = pack?.generation === before.subjects.commit?.generation;
      return fresh && pack?.outcome === "PASSED" ? "" : "passed without a verdict of the checks";
    };
    THRESHOLDS = [80, 100, 150];
    i13 = ({ event, before, after }, { allowances }) => {
      if (isMove(event) && event.from !== event.to && after.elapsed.length > 0) return "told of an earlier stay";
      if (event.type !== "elapsed") return "";
      const minutes = (Date.parse(event.at) - Date.parse(before.enteredAt)) / 6e4;
      const allowance = allowances[before.state];
      if (allowance === void 0) return `${before.state} has no allowance`;
      const due = THRESHOLDS.filter((percent) => minutes * 100 / allowance >= percent);
      if (!due.includes(event.percent) || before.elapsed.includes(event.percent)) return "told at the wrong time";
      return "";
    };
    LOOKS = { I1: i1, I2: i2, I3: i3, I4: i4, I5: i5, I6: i6, I7: i7, I8: i8, I9: i9, I12: i12, I13: i13 };
  }
});

// tests/properties/law-goal.ts
function settles(ghost) {
  switch (ghost.state) {
    case "open":
      return tasks(ghost).some((state) => STARTED.includes(state)) ? "active" : "";
    case "active":
      return done2(ghost) && tasks(ghost).includes("verified") && !sentBack(ghost) ? "pending_verify" : "";
    case "pending_verify":
    case "verified":
      return done2(ghost) ? "" : "active";
    default:
      return "";
  }
}
function allows2(ghost, ask) {
  const rules = { ...OPEN2.includes(ghost.state) ? ANYWHERE : {} };
  const rule = rules[ask.command] ?? (ghost.state === "pending_verify" ? WHOLE[ask.command] : void 0);
  return may(ask, "lead", "person") && rule?.(ghost, ask) || "";
}
function anew(ghost) {
  ghost.handedIn = false;
  stale(ghost);
}
function learn3(ghost, { command: command2, from, by }) {
  if (command2 === "integrate") {
    ghost.handedIn = true;
    stale(ghost);
  }
  if (command2 === "reject-goal") ghost.said.push({ kind: "rejection", outcome: "open", by, far: 0 });
  if (command2 === "" && from === "verified") anew(ghost);
}
var OPEN2, STARTED, has2, tasks, done2, sentBack, apart2, ANYWHERE, WHOLE, mayGive2, GOAL_LAW;
var init_law_goal = __esm({
  "tests/properties/law-goal.ts"() {
    "use strict";
    init_law();
    OPEN2 = ["open", "active", "pending_verify"];
    STARTED = ["in_progress", "review", "completed", "verified"];
    has2 = ({ given }, name) => (given[name] ?? "").trim() !== "";
    tasks = ({ members: members2 }) => [...members2.get("tasks")?.values() ?? []].map(({ state }) => state);
    done2 = (ghost) => tasks(ghost).length > 0 && tasks(ghost).every((state) => ["verified", "abandoned"].includes(state));
    sentBack = (ghost) => ghost.said.some(({ kind }) => kind === "rejection");
    apart2 = ({ builders }, { team: team2, actor }) => isApart(team2, actor, builders);
    ANYWHERE = {
      link: (g2, a) => has2(a, "task") && a.inOrder("linkable") && g2.state,
      unlink: (g2, a) => has2(a, "task") && a.reason !== "" && a.inOrder("linkable") && g2.state,
      cancel: (_, a) => a.reason !== "" && "cancelled"
    };
    WHOLE = {
      "reject-goal": (_, a) => a.reason !== "" && "active",
      integrate: (g2, a) => apart2(g2, a) && has2(a, "notes") && a.inOrder("integrated") && "pending_verify",
      "verify-goal": (g2, a) => apart2(g2, a) && g2.handedIn && passed2(g2) && "verified"
    };
    mayGive2 = (ghost, giving) => ghost.state === "pending_verify" && mayGiveAtGate(ghost, giving, ["lead"], ["lead"]);
    GOAL_LAW = { allows: allows2, mayGive: mayGive2, learn: learn3, settles, escalations: [] };
  }
});

// tests/properties/law-lifecycle.ts
function failing(ghost, ask) {
  const owner = OWNERS[ghost.state];
  if (owner === void 0 || !may(ask, owner)) return false;
  if (count2(ghost, ghost.state) + 1 >= 3)
    return ghost.interventions >= 2 ? "human_escalation" : "cto_intervention";
  return ["testing", "quality_review", "committing"].includes(ghost.state) ? "in_progress" : ghost.state;
}
function allows3(ghost, ask) {
  const at2 = `${ghost.state} ${ask.command}`;
  const recovery = RECOVERY[at2];
  if (recovery !== void 0) return recovery(ghost, ask) || "";
  if (ask.reason === "") return "";
  return (ask.command === "fail" ? failing(ghost, ask) : FORWARD[at2]?.(ghost, ask)) || "";
}
function mayGive3(ghost, giving) {
  const { kind, outcome, actor, proven } = giving;
  if (ghost.state === "pending")
    return kind === "codebase-review" && outcome === "done" && !!actor && may({ actor, proven }, "cto");
  if (ghost.state !== "quality_review") return false;
  return mayGiveAtGate(ghost, giving, [MONITOR, "cto"], [MONITOR, "cto", "build-orchestrator"]);
}
function learnFailure(ghost, { origin, to }) {
  ghost.failures.set(origin, Math.min(count2(ghost, origin) + 1, 3));
  if (to === "cto_intervention") ghost.interventions += 1;
  if (to === "in_progress" && origin !== "in_progress") stale(ghost);
  if (to === "planning" && origin === "planning") ghost.known.set("approach", "rejected");
}
function learn4(ghost, event) {
  const { command: command2, origin, by } = event;
  if (["begin", "finish", "ask-review"].includes(command2)) ghost.builders.add(by);
  if (["finish", "ask-review"].includes(command2)) ghost.handedIn = true;
  switch (command2) {
    case "":
      return;
    case "fail":
      return learnFailure(ghost, event);
    case "propose":
      ghost.known.set("approach", "proposed");
      return;
    case "return":
      ghost.failures.delete(ghost.back);
      if (ghost.back === "quality_review") stale(ghost);
      return;
    case "rollback":
    case "skip":
      ghost.failures.delete(ghost.back);
      ghost.known.delete("approach");
      if (command2 === "rollback") stale(ghost);
      return;
    case "resolve":
      ghost.failures.clear();
      ghost.known.delete("approach");
      return stale(ghost);
    case "escalate":
    case "abandon":
    case "committed":
      return;
    default:
      ghost.failures.delete(origin);
      if (command2 === "assign") ghost.known.delete("codebase-review");
      if (command2 === "validate") ghost.known.delete("approach");
      if (["finish", "ask-review"].includes(command2)) stale(ghost);
  }
}
var STATES, RETURNABLE, order, OWNERS, MONITOR, has3, count2, outside3, FORWARD, RECOVERY, LIFECYCLE_LAW;
var init_law_lifecycle = __esm({
  "tests/properties/law-lifecycle.ts"() {
    "use strict";
    init_law();
    STATES = [
      "pending",
      "assigned",
      "planning",
      "validated",
      "in_progress",
      "testing",
      "quality_review",
      "approved",
      "committing"
    ];
    RETURNABLE = STATES.slice(0, 7);
    order = (state) => STATES.indexOf(state);
    OWNERS = {
      pending: "build-orchestrator",
      assigned: "solution-validator",
      planning: "solution-validator",
      validated: "fullstack-developer",
      in_progress: "fullstack-developer",
      testing: "fullstack-developer",
      quality_review: "quality-monitor",
      approved: "git-manager",
      committing: "git-manager"
    };
    MONITOR = "quality-monitor";
    has3 = (given, name) => (given[name] ?? "").trim() !== "";
    count2 = (ghost, state) => ghost.failures.get(state) ?? 0;
    outside3 = ({ builders }, { team: team2, actor }) => isApart(team2, actor, builders) || nobodyElse(team2, MONITOR, builders);
    FORWARD = {
      "pending assign": (g2, a) => may(a, "build-orchestrator") && (g2.settings.plan_file !== true || g2.known.has("codebase-review")) && dependenciesDone4(g2) && "assigned",
      "assigned plan": (_, a) => may(a, "solution-validator") && "planning",
      "planning propose": (_, a) => may(a, "fullstack-developer") && a.inOrder("new-approach") && "planning",
      "planning validate": (g2, a) => may(a, "solution-validator") && g2.known.get("approach") !== "rejected" && "validated",
      "validated begin": (_, a) => may(a, "fullstack-developer") && "in_progress",
      "in_progress finish": (_, a) => may(a, "fullstack-developer") && ["claimed-work", "evidence-files", "evidence-types"].every(a.inOrder) && "testing",
      "testing ask-review": (_, a) => may(a, "fullstack-developer") && ["evidence-files", "self-checks"].every(a.inOrder) && "quality_review",
      "quality_review approve": (g2, a) => may(a, MONITOR, "person") && outside3(g2, a) && passed2(g2) && "approved",
      "approved commit": (_, a) => may(a, "git-manager") && "committing",
      "committing committed": (g2, a) => may(a, "git-manager") && has3(a.given, "commit") && ["commit-exists", "proof-pack"].every(a.inOrder) && says(g2, "proof-pack", "PASSED") && "completed"
    };
    RECOVERY = {
      "cto_intervention return": (g2, a) => may(a, "cto") && has3(a.given, "guidance") && g2.back,
      "cto_intervention rollback": (g2, a) => {
        const earlier = STATES.slice(0, Math.max(0, order(g2.back)));
        const only = earlier.length === 1 ? earlier[0] : void 0;
        const to = only ?? earlier.find((state) => state === a.given.to);
        return may(a, "cto") && has3(a.given, "guidance") && (to ?? false);
      },
      "cto_intervention skip": (g2, a) => may(a, "cto") && has3(a.given, "guidance") && !["in_progress", "quality_review", "committing"].includes(g2.back) && (STATES[order(g2.back) + 1] ?? false),
      "cto_intervention escalate": (g2, a) => may(a, "cto") && a.reason !== "" && g2.interventions >= 2 && "human_escalation",
      "human_escalation resolve": (_, a) => may(a, "person") && a.reason !== "" && RETURNABLE.includes(a.given.to ?? "") && (a.given.to ?? ""),
      "human_escalation abandon": (_, a) => may(a, "person") && a.reason !== "" && "failed"
    };
    LIFECYCLE_LAW = {
      allows: allows3,
      mayGive: mayGive3,
      learn: learn4,
      settles: () => "",
      escalations: ["cto_intervention", "human_escalation"]
    };
  }
});

// tests/properties/law-two-phase.ts
function mayClose({ builders, verifiers }, { team: team2, actor }) {
  const other = (set) => set.size > 0 && !set.has(actor.id);
  const maker = other(builders) || nobodyElse(team2, CLOSER, builders, "self");
  const alone2 = nobodyElse(team2, CLOSER, verifiers, "self");
  const allBuilt = outsiders(team2, CLOSER, builders, "self").length === 0;
  return maker && (other(verifiers) || alone2 || allBuilt);
}
function reported(ghost) {
  const wanted = ghost.settings.quality_validation === true || says(ghost, "quality-demand", "yes");
  return says(ghost, "final-report", "WRITTEN") && (!wanted || says(ghost, "quality", "APPROVED"));
}
function learn5(ghost, { command: command2, origin, by, arguments: given }) {
  switch (command2) {
    case "dispatch":
      return rename(ghost.assignees, given.to ?? "");
    case "claim":
      ghost.builders.add(by);
      ghost.handedIn = true;
      return stale(ghost);
    case "release":
      ghost.assignees.clear();
      if (origin === "in_progress") return;
      ghost.attempt += 1;
      return stale(ghost);
    case "verify":
    case "block":
      ghost.verifiers.add(by);
      return;
    case "retry":
      ghost.attempt += 1;
      ghost.assignees.clear();
      ghost.verifiers.clear();
      return stale(ghost);
    case "supersede":
      ghost.known.set("superseded", "yes");
  }
}
var WORK3, VERIFIER, CLOSER, listOpen2, free, worked, outside4, RULES2, JUDGES, onClaim, onFailure, onQuality, GIVES, mayGive4, TWO_PHASE_LAW;
var init_law_two_phase = __esm({
  "tests/properties/law-two-phase.ts"() {
    "use strict";
    init_law();
    WORK3 = ["claimed-work", "evidence-files", "evidence-types"];
    VERIFIER = "verification-agent";
    CLOSER = "workflow-orchestrator";
    listOpen2 = (ghost, ask) => ghost.settings.halt_on_block !== true || !ask.listBlocked;
    free = (ghost, ask) => listOpen2(ghost, ask) && dependenciesDone4(ghost);
    worked = ({ inOrder }) => WORK3.every(inOrder);
    outside4 = ({ builders }, { team: team2, actor }) => isApart(team2, actor, builders) || nobodyElse(team2, VERIFIER, builders);
    RULES2 = {
      "pending dispatch": (g2, a) => may(a, CLOSER) && (a.given.to ?? "") !== "" && free(g2, a) && a.inOrder("assignee-fits") && "in_progress",
      "pending claim": (g2, a) => may(a, "specialist") && g2.settings.undispatched !== "refuse" && free(g2, a) && worked(a) && "claimed",
      "in_progress start": (g2, a) => may(a, "specialist") && g2.assignees.has(a.actor.id) && "in_progress",
      "in_progress claim": (g2, a) => may(a, "specialist") && g2.assignees.has(a.actor.id) && worked(a) && "claimed",
      "in_progress release": (_, a) => may(a, CLOSER) && "pending",
      "claimed verify": (g2, a) => may(a, VERIFIER, "person") && outside4(g2, a) && passed2(g2) && "verified",
      "claimed block": (g2, a) => may(a, VERIFIER, "person") && outside4(g2, a) && says(g2, "proof-pack", "BLOCKED") && "blocked",
      "claimed release": (g2, a) => may(a, CLOSER) && lastSaid(g2, "inconclusive") !== void 0 && "pending",
      "blocked retry": (g2, a) => may(a, CLOSER) && says(g2, "failure-review", "seen") && "pending",
      "verified complete": (g2, a) => may(a, CLOSER, "person") && !g2.known.has("superseded") && mayClose(g2, a) && a.inOrder("proof-pack") && says(g2, "proof-pack", "PASSED") && reported(g2) && "completed",
      "verified supersede": (g2, a) => may(a, CLOSER, "person") && !g2.known.has("superseded") && says(g2, "quality", "REJECTED") && "verified"
    };
    JUDGES = [VERIFIER, "quality-validator", CLOSER];
    onClaim = (ghost, giving) => {
      const { kind, outcome, actor } = giving;
      if (kind === "quality-demand") return actor === void 0 && outcome === "yes";
      const signers = kind === "waiver" ? [...JUDGES, "specialist"] : JUDGES;
      return mayGiveAtGate(ghost, giving, JUDGES.slice(0, 2), signers);
    };
    onFailure = ({ settings }, { kind, outcome, actor, proven }) => {
      if (kind !== "failure-review" || outcome !== "seen" || actor === void 0) return false;
      const by = { actor, proven };
      return may(by, "person") || settings.acknowledge === "orchestrator" && may(by, CLOSER);
    };
    onQuality = (ghost, giving) => {
      const { kind, outcome, actor, proven, team: team2 } = giving;
      if (kind === "final-report") return actor === void 0 && outcome === "WRITTEN";
      if (kind !== "quality" || actor === void 0 || !["APPROVED", "REJECTED"].includes(outcome)) return false;
      const { builders } = ghost;
      const far = isApart(team2, actor, builders) || nobodyElse(team2, "quality-validator", builders);
      return may({ actor, proven }, "quality-validator", "person") && far && notTwice(ghost, giving);
    };
    GIVES = {
      claimed: onClaim,
      blocked: onFailure,
      verified: onQuality
    };
    mayGive4 = (ghost, giving) => GIVES[ghost.state]?.(ghost, giving) ?? false;
    TWO_PHASE_LAW = {
      allows: (ghost, ask) => RULES2[`${ghost.state} ${ask.command}`]?.(ghost, ask) || "",
      mayGive: mayGive4,
      learn: learn5,
      settles: () => "",
      escalations: []
    };
  }
});

// src/kernel/timeouts.ts
function allowanceOf(protocol, item) {
  const own2 = item.settings[`allowance.${item.state}`];
  const minutes = typeof own2 === "string" ? Number(own2) : Number.NaN;
  return Number.isFinite(minutes) && minutes >= 0 ? minutes : protocol.states[item.state]?.allowance ?? 0;
}
function elapsedEvents(protocol, item, now2) {
  const allowance = allowanceOf(protocol, item);
  if (allowance === 0 || item.enteredAt === "") return [];
  const percent = (Date.parse(now2) - Date.parse(item.enteredAt)) / (allowance * MINUTE) * 100;
  return THRESHOLDS2.filter((t) => percent >= t && !item.elapsed.includes(t)).map((t) => ({
    type: "elapsed",
    at: now2,
    by: "engine",
    state: item.state,
    percent: t,
    due: passedAt(item, allowance, t)
  }));
}
var THRESHOLDS2, MINUTE, passedAt;
var init_timeouts = __esm({
  "src/kernel/timeouts.ts"() {
    "use strict";
    THRESHOLDS2 = [80, 100, 150];
    MINUTE = 6e4;
    passedAt = ({ enteredAt }, allowance, percent) => new Date(Date.parse(enteredAt) + allowance * MINUTE * percent / 100).toISOString();
  }
});

// tests/properties/throw.ts
import fc from "fast-check";
function play(board, dice) {
  const piece = pieceFor(board, dice);
  if (piece === void 0) return;
  switch (dice.what) {
    case "step":
      return unjudged(piece) && dice.luck % 3 > 0 ? evidence2(board, piece, dice) : command(board, piece, dice);
    case "any":
      return command(board, piece, dice);
    case "evidence":
      return evidence2(board, piece, dice);
    case "outside":
      return news(board, piece, dice);
    case "time": {
      board.minutes += 1 + dice.arg % 200;
      transact(board, piece, elapsedEvents(piece.table, piece.item, now(board)));
      const untold = untoldOf(piece, now(board));
      if (untold.length > 0)
        board.breach("I13", `${piece.id} in ${piece.item.state}: nobody was told of ${untold.join(", ")} %`);
      return;
    }
    case "roles": {
      const id = at(board.cast, dice.who)?.id ?? "";
      if (!board.out.delete(id)) board.out.add(id);
    }
  }
}
function pieceFor({ pieces }, { piece, luck }) {
  const live = pieces.filter(({ id, table, item }) => {
    const idle = id === "goal" ? ["open", "active"] : id === "item" ? [] : ["verified"];
    return !idle.includes(item.state) && table.states[item.state]?.final !== true;
  });
  return at(luck % 6 === 0 || live.length === 0 ? pieces : live, piece);
}
function untoldOf({ table, item }, at2) {
  const allowance = READINGS[table.name]?.allowances[item.state] ?? Number.POSITIVE_INFINITY;
  const share = (Date.parse(at2) - Date.parse(item.enteredAt)) / 6e4 / allowance * 100;
  return [80, 100, 150].filter((percent) => share >= percent && !item.elapsed.includes(percent));
}
function actorFor(board, piece, rows, { who, luck }) {
  const team2 = teamOf(board);
  if (luck % 8 === 0) return at(team2, who);
  const actors = actorsOf(team2);
  const fits2 = team2.filter((_, n) => {
    const actor = actors[n] ?? ENGINE;
    return rows.some((row) => mayTake(piece.table, row.by, piece.item.state, { actor, proof: PROOF }));
  });
  const given = fits2.find(({ id }) => piece.item.marks.assignee?.includes(id));
  return (who % 3 !== 0 ? given : void 0) ?? at(fits2, who) ?? at(team2, who);
}
function fitting(board, rows, luck) {
  const checks = rows.some((row) => row.names.checker !== void 0);
  const roles = checks ? ["verifier"] : ["builder", "specialist"];
  const able = teamOf(board).filter((p) => roles.some((role) => p.roles.includes(role)));
  return able.length === 0 || luck % 6 === 5 ? board.cast : able;
}
function argumentsFor(board, piece, rows, { arg, luck, who }) {
  const states = rows.flatMap((row) => {
    const targets = targetsOf(piece.table, row, piece.item);
    return targets.length > 1 ? targets : [];
  });
  const open = states.length > 0 && luck % 9 !== 1 ? states : Object.keys(piece.table.states);
  const to = states.length > 0 ? at(open, arg) : at(fitting(board, rows, luck), arg)?.id;
  const others = board.pieces.filter(({ id }) => id !== "goal").map(({ id }) => id);
  const all = {
    ...{ to: to ?? "", summary: "done", notes: "tried", guidance: "so", commit: "c" },
    task: at(others, arg) ?? "none",
    ...who % 4 === 1 ? { helpers: at(board.cast, arg)?.id ?? "" } : {}
  };
  const names = rows.flatMap((row) => [...row.takes]).concat("to");
  const dropped = luck % 10 === 3 ? at(names, arg) : void 0;
  if (dropped !== void 0) delete all[dropped];
  return { given: all, reason: dropped === "reason" ? "" : "said" };
}
function lookOutside({ table }, { luck, pick }) {
  const bad = luck % 7 === 2 ? at(table.probes, pick) : void 0;
  const found = table.probes.map((name) => {
    const status = name === bad ? at(STATUS, luck) ?? "error" : "satisfied";
    return [name, { status, because: name, fix: "" }];
  });
  return Object.fromEntries(
    found.flatMap(
      ([name, { status, ...rest }]) => status === "missing" ? [] : [[name, { status, ...rest }]]
    )
  );
}
function nameFor(board, piece, rows, { what, pick, luck, arg }) {
  const names = what === "any" ? board.pieces.flatMap(({ table }) => [...table.rows.map((row) => row.command), "dance"]) : weighted([...new Set(rows.map((row) => row.command))], luck, board.harsh);
  const picked = at(names, pick) || "dance";
  return piece.id !== "item" && ENDS2.includes(picked) && arg % 4 > 0 ? "dance" : picked;
}
function command(board, piece, dice) {
  const rows = leaving(piece);
  const name = nameFor(board, piece, rows, dice);
  const mine2 = rows.filter((row) => row.command === name);
  const player = actorFor(board, piece, mine2, dice);
  if (player === void 0) return;
  const { given, reason: reason2 } = argumentsFor(board, piece, mine2, dice);
  const proven = player.kind === "human" && dice.luck % 5 !== 4;
  const probes = lookOutside(piece, dice);
  const ask = {
    ...{ command: name, actor: player, proven, given, reason: reason2, team: teamOf(board) },
    inOrder: (probe2) => probes[probe2]?.status === "satisfied",
    listBlocked: board.listBlocked
  };
  const expected = piece.law.allows(piece.ghost, ask);
  const subjects = { commit: `c${dice.arg % 3}`, plan: `p${dice.arg % 3}` };
  const gathered = { probes, subjects, facts: factsOf(dice) };
  const decision = decide(piece.table, piece.item, kernelCommand(board, ask), worldOf(board), gathered);
  const to = decision.kind === "accepted" ? decision.events.at(-1)?.to ?? "" : "";
  if (to !== expected) {
    const how = `${piece.item.state}: ${player.id} ${name} ${JSON.stringify(given)}`;
    board.breach("law", `${piece.id} ${how} leads to '${to}', not '${expected}'`);
  }
  if (decision.kind === "accepted") taken(board, piece, decision.events, ask);
}
function taken(board, piece, events, ask) {
  transact(board, piece, events, ask);
  const { task = "" } = ask.given;
  if (piece.id !== "goal" || !board.pieces.some(({ id }) => id === task)) return;
  if (ask.command === "link") join(board, task);
  if (ask.command === "unlink") leave(board, task);
}
function kernelCommand(board, { command: name, actor, proven, given, reason: reason2 }) {
  const [who = ENGINE] = actorsOf(board.cast).filter(({ id }) => id === actor.id);
  return {
    ...{ id: "", name, at: now(board), reason: reason2, arguments: given },
    actor: { ...who, roles: actor.roles },
    proof: proven ? PROOF : void 0
  };
}
function evidence2(board, piece, dice) {
  const { table, item, ghost, law } = piece;
  const giving = givingOf(board, piece, dice);
  if (giving === void 0 || giving.actor === void 0 && !piece.log.some(handsIn)) return;
  const expected = law.mayGive(ghost, giving);
  const { kind, outcome, actor, asker, proven, team: team2 } = giving;
  const asking = { command: kind, actor: asker, proven, given: {}, reason: "", team: team2 };
  const command2 = kernelCommand(board, { ...asking, inOrder: () => true, listBlocked: false });
  const claim = piece.log.findLast(handsIn);
  const facts = actor === void 0 && claim?.type === "moved" ? claim.facts : {};
  const by = actor === void 0 ? { ...command2, actor: ENGINE } : command2;
  const decision = record(table, item, by, { kind, outcome, facts, asker: command2.actor }, worldOf(board));
  if (decision.kind === "accepted" !== expected) {
    const got = `${decision.kind}, ${expected ? "and should be taken" : "and should be refused"}`;
    const who = actor === void 0 ? `engine for ${asker.id}` : asker.id;
    board.breach("law", `${piece.id} in ${item.state}: ${kind}=${outcome} by ${who} is ${got}`);
  }
  if (decision.kind === "accepted") transact(board, piece, decision.events);
}
function givingOf(board, { table, item }, dice) {
  const here = table.evidence.filter((row2) => expand(table, row2.in).includes(item.state));
  const likely = here.flatMap((row2) => {
    const weight = row2.kind === "proof-pack" ? 15 : row2.by.includes("engine") ? 4 : 1;
    return Array.from({ length: weight }, () => row2);
  });
  const row = at(dice.luck % 8 === 1 || likely.length === 0 ? table.evidence : likely, dice.pick);
  const team2 = teamOf(board);
  const asker = at(team2, dice.who);
  if (row === void 0 || asker === void 0) return void 0;
  const engine = row.by.includes("engine") && dice.luck % 13 !== 5;
  const passes = row.outcomes.includes("PASSED") && dice.arg % 3 > 0;
  const outcome = passes ? "PASSED" : at([...row.outcomes, "odd"], Math.floor(dice.arg / 3)) ?? "";
  const proven = asker.kind === "human" && dice.luck % 5 !== 4;
  return { kind: row.kind, outcome, actor: engine ? void 0 : asker, asker, proven, team: team2 };
}
function news(board, piece, { arg }) {
  if (arg % 3 === 0) {
    board.listBlocked = !board.listBlocked;
    return;
  }
  if (piece.id !== "item") return;
  const done3 = arg % 4 > 0;
  const note = {
    ...{ type: "noted", at: now(board), by: "engine", group: "dependencies", member: `other-${arg % 2}` },
    ...{ state: done3 ? "verified" : "claimed", category: done3 ? "CONFIRMED" : "SUBMITTED" },
    ...{ asked: "", marks: {}, moves: [] }
  };
  transact(board, piece, [note]);
}
var throws, at, HAND_IN, handsIn, unjudged, leaving, STATUS, WEIGHTS, HARSH, ENDS2, weighted, factsOf;
var init_throw = __esm({
  "tests/properties/throw.ts"() {
    "use strict";
    init_actor();
    init_decide();
    init_protocol();
    init_record();
    init_target();
    init_timeouts();
    init_given();
    init_board();
    init_cast();
    init_law();
    init_readings();
    throws = fc.record({
      what: fc.oneof(
        { weight: 11, arbitrary: fc.constant("step") },
        { weight: 3, arbitrary: fc.constant("any") },
        { weight: 5, arbitrary: fc.constant("evidence") },
        { weight: 1, arbitrary: fc.constantFrom("outside", "time", "roles") }
      ),
      piece: fc.nat(59),
      pick: fc.nat(839),
      who: fc.nat(839),
      arg: fc.nat(839),
      luck: fc.nat(99)
    });
    at = (list, n) => list[n % Math.max(1, list.length)];
    HAND_IN = ["claim", "finish", "ask-review", "submit", "integrate"];
    handsIn = (event) => event.type === "moved" && HAND_IN.includes(event.command);
    unjudged = ({ table, item, ghost, log }) => log.some(handsIn) && table.gates.some((gate) => gate.in === item.state) && lastSaid(ghost, "proof-pack") === void 0;
    leaving = ({ table, item }) => table.rows.filter((row) => row.command !== "" && expand(table, row.from).includes(item.state));
    STATUS = ["unsatisfied", "error", "missing"];
    WEIGHTS = {
      ...{ unlink: 1, link: 1, release: 1, reopen: 2, intervene: 2 },
      ...{ assign: 2, fail: 4, reject: 3, "reject-verification": 3, "reject-goal": 3, propose: 4, dispatch: 6 }
    };
    HARSH = { "reject-verification": 20, "reassign-checker": 20 };
    ENDS2 = ["abandon", "cancel", "supersede"];
    weighted = (names, luck, harsh) => names.filter((name) => luck % 13 === 7 || !ENDS2.includes(name)).flatMap((name) => {
      const length = (harsh ? HARSH[name] : void 0) ?? WEIGHTS[name] ?? 9;
      return Array.from({ length }, () => name);
    });
    factsOf = ({ pick }) => ({ criteria: `criteria ${pick % 4}` });
  }
});

// tests/properties/game.ts
var game_exports = {};
__export(game_exports, {
  GAMES: () => GAMES,
  TABLES: () => TABLES,
  breachesIn: () => breachesIn,
  playsOf: () => playsOf
});
import fc2 from "fast-check";
function settingsOf({ name, settings }, n) {
  const chosen = Object.entries(settings).map(([setting2, values], i) => {
    const digit = Math.floor(n / 2 ** (i + 1));
    return [setting2, (n % 2 === 0 ? values[0] : values[digit % values.length]) ?? ""];
  });
  const hats2 = name === "goal-task" && n % 4 === 3 ? { hats: HATS[n % HATS.length] ?? "" } : {};
  return { ...Object.fromEntries(chosen), ...hats2 };
}
function breachesIn(game, tables, { cast, team: team2 = [], settings, dice }, stop = () => false, look = () => {
}) {
  const found = [];
  const players = team2.length > 0 ? team2 : castsFor(game.roles)[cast % 6] ?? [];
  const openings = Object.entries(game.items).flatMap(([id, name]) => {
    const [table, law] = [tables[name], LAWS[name]];
    return table === void 0 || law === void 0 ? [] : [{ id, table, law, settings: settingsOf(table, settings) }];
  });
  const board = openBoard(openings, players, settings % 3 === 0 ? game.dependants : {}, {
    harsh: settings % 5 === 1,
    breach: (rule, what) => found.push({ rule, what }),
    see: (seen) => {
      look(seen);
      found.push(...broken(seen));
    }
  });
  for (const one of dice) {
    play(board, one);
    if (found.some(stop)) return found;
  }
  return [...found, ...atTheEnd(board)];
}
function atTheEnd({ pieces, cast }) {
  return pieces.flatMap((piece) => {
    const { id, table, log, item } = piece;
    const again = fold(table, JSON.parse(JSON.stringify(log)));
    const same2 = JSON.stringify(again) === JSON.stringify(item);
    return [
      ...same2 ? [] : [{ rule: "I10", what: `${id}: the fold of the log is another item` }],
      ...hasExit(piece, cast) ? [] : [{ rule: "I13", what: `${id}: nobody leads on from ${item.state}` }]
    ];
  });
}
var TABLES, LAWS, GAMES, playsOf, HATS;
var init_game = __esm({
  "tests/properties/game.ts"() {
    "use strict";
    init_evolve();
    init_goal();
    init_goal_task();
    init_lifecycle();
    init_two_phase();
    init_board();
    init_cast();
    init_exits();
    init_invariants();
    init_law_goal();
    init_law_goal_task();
    init_law_lifecycle();
    init_law_two_phase();
    init_throw();
    TABLES = { "two-phase": twoPhase, lifecycle, goal, "goal-task": goalTask };
    LAWS = {
      "two-phase": TWO_PHASE_LAW,
      lifecycle: LIFECYCLE_LAW,
      goal: GOAL_LAW,
      "goal-task": GOAL_TASK_LAW
    };
    GAMES = [
      { name: "two-phase", items: { item: "two-phase" }, dependants: {}, roles: twoPhase.roles, length: 120 },
      { name: "lifecycle", items: { item: "lifecycle" }, dependants: {}, roles: lifecycle.roles, length: 160 },
      {
        name: "goals",
        items: { goal: "goal", "task-1": "goal-task", "task-2": "goal-task" },
        dependants: { "task-1": ["task-2"] },
        roles: goalTask.roles,
        length: 240
      }
    ];
    playsOf = (length) => fc2.record({
      cast: fc2.nat(5),
      settings: fc2.nat(255),
      dice: fc2.array(throws, { minLength: length / 2, maxLength: length, size: "max" })
    });
    HATS = ["lead-tester builder-tester", "lead-reviewer", "builder-reviewer reviewer-tester"];
  }
});

// src/kernel/show/describe.ts
function describe(guard) {
  switch (guard.guard) {
    case "apart":
      return guard.bond === "identity" ? `not the ${guard.from}` : `outside the lineage of the ${guard.from}`;
    case "same":
      return `is the ${guard.as}`;
    case "evidence":
      return `${guard.kind} says ${guard.outcome}${guard.apart === "" ? "" : `, given outside the lineage of the ${guard.apart}`}`;
    case "absent":
      return `no ${guard.kind} on what it is now`;
    case "votes":
      return `${quantity(guard.share)} of ${guard.of} ${guard.kind} voices say ${guard.outcome}`;
    case "members":
      return describeMembers(guard);
    case "reaches":
      return `this is ${guard.counter} number ${guard.limit}`;
    case "count":
      return `${guard.counter} at ${guard.atLeast} or more`;
    case "previous":
      return `came from ${guard.in.join(" or ")}`;
    case "probe":
      return `${guard.name} in order (looked at now)`;
    case "team":
      return describeTeam(guard);
    case "setting":
      return `${guard.name} is ${String(guard.is)}`;
    case "independent":
      return `${guard.kind} independent enough (${guard.atLeast === "@pinned" ? "as the item demands" : guard.atLeast})`;
    case "hats":
      return `no hat that clashes with ${guard.wearing}`;
    case "not":
      return `not (${describe(guard.of)})`;
    case "any":
      return guard.of.map(describe).join(", or ");
    case "when":
      return `if ${describe(guard.if)}: ${describe(guard.require)}`;
  }
}
function describeMembers({
  group,
  in: states,
  share,
  atLeast: atLeast2,
  on
}) {
  const named = states.map((s) => s.startsWith("=") ? s.slice(1).toLowerCase() : s).join(" or ");
  const many2 = share === "some" && atLeast2 > 1 ? `at least ${atLeast2}` : quantity(share);
  const size = share !== "some" && atLeast2 > 0 ? `, ${atLeast2} or more in all` : "";
  return `${many2} of ${group} ${named}${size}${on === "" ? "" : `, asked about this ${on}`}`;
}
function describeTeam({ role, atLeast: atLeast2, apart: apart3, bond }) {
  const who = role === "" ? "independent actors" : `independent holders of ${role}`;
  const but = bond === "identity" ? `other than the ${apart3}` : `outside the lineage of the ${apart3}`;
  return `${atLeast2} or more ${who}${apart3 === "" ? "" : ` ${but}`}`;
}
var quantity;
var init_describe = __esm({
  "src/kernel/show/describe.ts"() {
    "use strict";
    quantity = (share) => ({ none: "none", some: "at least one", majority: "more than half", all: "all" })[share];
  }
});

// tests/guard-mutants.ts
var guard_mutants_exports = {};
__export(guard_mutants_exports, {
  guardMutantsOf: () => guardMutantsOf
});
function guardMutantsOf(protocol) {
  const rows = protocol.rows.flatMap(
    (row, r) => row.requires.map((guard, g2) => ({
      name: `${row.from.join(", ")} ${row.command}: ${short(guard)}`,
      protocol: { ...protocol, rows: protocol.rows.with(r, { ...row, requires: without(row.requires, g2) }) }
    }))
  );
  const evidence3 = protocol.evidence.flatMap(
    (row, r) => row.requires.map((guard, g2) => ({
      name: `evidence ${row.kind}: ${short(guard)}`,
      protocol: {
        ...protocol,
        evidence: protocol.evidence.with(r, { ...row, requires: without(row.requires, g2) })
      }
    }))
  );
  return [...rows, ...evidence3];
}
var without, short;
var init_guard_mutants = __esm({
  "tests/guard-mutants.ts"() {
    "use strict";
    init_describe();
    without = (list, n) => list.filter((_, i) => i !== n);
    short = (guard) => describe(guard).split(", or ")[0] ?? "";
  }
});

// ../../tmp/probe4.ts
import fc3 from "fast-check";
var g = await Promise.resolve().then(() => (init_game(), game_exports));
var { guardMutantsOf: guardMutantsOf2 } = await Promise.resolve().then(() => (init_guard_mutants(), guard_mutants_exports));
var most = Number(process.argv[2] ?? 300);
for (const game of g.GAMES.filter((x) => x.name === "goals")) {
  const plays = fc3.sample(g.playsOf(game.length), { seed: 20251026, numRuns: most });
  for (const table of ["goal-task"]) {
    let total = 0;
    const late = [];
    for (const m of guardMutantsOf2(g.TABLES[table])) {
      const t = process.cpuUsage().user;
      let n = 0, hit = -1, what = "";
      for (const p of plays) {
        const b = g.breachesIn(game, { ...g.TABLES, [table]: m.protocol }, p, () => true);
        if (b.length > 0) {
          hit = n;
          what = b[0].rule + " " + b[0].what;
          break;
        }
        n++;
      }
      total += (process.cpuUsage().user - t) / 1e3;
      if (hit < 0 || hit > most / 5) late.push(`${hit} ${m.name} ${what}`);
    }
    console.log(table, guardMutantsOf2(g.TABLES[table]).length, total.toFixed(0) + "ms");
    for (const l of late) console.log("   ", l);
  }
}
