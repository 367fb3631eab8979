// ../main/src/kernel/freshness.ts
function freshEvidence(item, kind) {
  return item.evidence.filter(
    (e) => e.kind === kind && e.generation === (item.subjects[e.on]?.generation ?? 0)
  );
}
function latestEvidence(item, kind) {
  return freshEvidence(item, kind).at(-1);
}

// ../main/src/kernel/verdict.ts
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

// ../main/src/kernel/guards/absent.ts
var absent = (kind) => ({ guard: "absent", kind });
function checkAbsent({ guard, kind }, { item }) {
  const latest = latestEvidence(item, kind);
  const because = latest === void 0 ? `there is no ${kind}` : `the ${kind} says ${latest.outcome}`;
  return judged(guard, latest === void 0, because, `the subject must change after the ${kind}`);
}

// ../main/src/kernel/actor.ts
var ENGINE = { id: "engine", kind: "system", roles: ["engine"], ancestors: [] };
function related(a, b) {
  return a.id === b.id || a.ancestors.includes(b.id) || b.ancestors.includes(a.id);
}
var INDEPENDENCE = ["automated", "sibling", "other-lineage", "human"];
function atLeast(level2, minimum) {
  return INDEPENDENCE.indexOf(level2) >= INDEPENDENCE.indexOf(minimum);
}
function demandedLevel(setting) {
  if (setting === void 0) return "automated";
  return INDEPENDENCE.find((level2) => level2 === setting) ?? "human";
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

// ../main/src/kernel/context.ts
function actorOf(world, id) {
  return world.roster.find((a) => a.id === id) ?? { id, kind: "agent", roles: [], ancestors: [] };
}
function marked({ item, world }, mark) {
  return (item.marks[mark] ?? []).map((id) => actorOf(world, id));
}

// ../main/src/kernel/guards/apart.ts
var apart = (from, bond = "lineage") => ({
  guard: "apart",
  from,
  bond
});
function checkApart({ guard, from, bond }, context) {
  const { actor } = context.command;
  const others = marked(context, from);
  if (others.length === 0) return judged(guard, false, `nobody is recorded as ${from}`, "");
  const close = others.filter((o) => bond === "identity" ? o.id === actor.id : related(o, actor));
  const because = close.length === 0 ? `${actor.id} is apart from every ${from}` : `${actor.id} ${close.some((o) => o.id === actor.id) ? `is the ${from}` : `belongs to the lineage of the ${from}`}`;
  return judged(guard, close.length === 0, because, `let an actor outside the lineage of the ${from} do it`);
}

// ../main/src/kernel/guards/combined.ts
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
  const join = (parts) => [...new Set(parts.filter((p) => p !== ""))].join(", or ");
  return {
    guard: verdicts.map((v) => v.guard).join(" or "),
    status,
    because: verdicts.map((v) => v.because).join("; "),
    fix: join(verdicts.map((v) => v.fix))
  };
}
function checkWhen(guard, judge2) {
  const condition = judge2(guard.if);
  if (condition.status === "error") return condition;
  if (opens(condition)) return judge2(guard.require);
  return { guard: condition.guard, status: "not-applicable", because: condition.because, fix: "" };
}

// ../main/src/kernel/counters.ts
function counterKey(table, name, state) {
  return table[name]?.per === "state" ? `${name}@${state}` : name;
}
function countOf(table, counts, name, state) {
  return counts[counterKey(table, name, state)] ?? 0;
}
function applyCounts(table, counts, rules, here, previous) {
  const next = { ...counts };
  for (const rule of rules) applyRule(table, next, rule, here, previous);
  return next;
}
function applyRule(table, next, rule, here, previous) {
  if (rule.startsWith("0*")) {
    const name = rule.slice(2);
    for (const key of Object.keys(next)) if (key === name || key.startsWith(`${name}@`)) delete next[key];
    return;
  }
  if (rule.startsWith("0^")) delete next[counterKey(table, rule.slice(2), previous)];
  else if (rule.startsWith("0")) delete next[counterKey(table, rule.slice(1), here)];
  else {
    const name = rule.slice(1);
    const key = counterKey(table, name, here);
    next[key] = Math.min((next[key] ?? 0) + 1, table[name]?.limit ?? Number.MAX_SAFE_INTEGER);
  }
}

// ../main/src/kernel/guards/count.ts
var reaches = (counter, limit) => ({ guard: "reaches", counter, limit });
function checkCount({ guard, counter, atLeast: atLeast2 }, { item, counters }) {
  const n = countOf(counters, item.counters, counter, item.state);
  return judged(guard, n >= atLeast2, `${counter} is ${n}, ${atLeast2} needed`, "");
}
function checkReaches({ guard, counter, limit }, { item, counters }) {
  const n = countOf(counters, item.counters, counter, item.state) + 1;
  return judged(guard, n >= limit, `this is ${counter} number ${n} of ${limit}`, "");
}

// ../main/src/kernel/an.ts
var an = (noun) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

// ../main/src/kernel/guards/evidence.ts
var evidence = (kind, outcome, apart2 = "") => ({
  guard: "evidence",
  kind,
  outcome,
  apart: apart2
});
function checkEvidence({ guard, kind, outcome, apart: apart2 }, context) {
  const latest = latestEvidence(context.item, kind);
  const stale = context.item.evidence.some((e) => e.kind === kind) ? " (an earlier one is stale)" : "";
  if (latest === void 0)
    return unsatisfied(guard, `there is no ${kind}${stale}`, `${an(kind)} saying ${outcome} is needed`);
  if (latest.outcome !== outcome) {
    return unsatisfied(
      guard,
      `the ${kind} says ${latest.outcome}`,
      `${an(kind)} saying ${outcome} is needed`
    );
  }
  if (apart2 !== "") {
    const giver = actorOf(context.world, latest.by);
    if (marked(context, apart2).some((m) => related(m, giver))) {
      return unsatisfied(
        guard,
        `the ${kind} was given by the lineage of the ${apart2}`,
        `${an(kind)} from outside it is needed`
      );
    }
  }
  return satisfied(guard, `the ${kind} says ${outcome}`);
}

// ../main/src/kernel/guards/hats.ts
var hats = (wearing, pairs, relaxed2 = []) => ({
  guard: "hats",
  wearing,
  pairs,
  relaxed: relaxed2
});
function checkHats({ guard, wearing, pairs, relaxed: relaxed2 }, { item, command }) {
  const pinned = item.settings.hats;
  const all = typeof pinned === "string" ? pinned.split(" ").filter((pair) => pair !== "") : pairs;
  const rules = all.filter((pair) => !relaxed2.includes(pair));
  const worn = rules.flatMap((rule) => {
    const [one = "", other = ""] = rule.split("-");
    const clash = one === wearing ? other : other === wearing ? one : "";
    return clash !== "" && (item.marks[clash] ?? []).includes(command.actor.id) ? [{ rule, clash }] : [];
  });
  const [first] = worn;
  const because = first === void 0 ? `no hat of ${command.actor.id} here clashes with ${wearing}` : `${command.actor.id} wears the hat ${first.clash} on this item, and the rule ${first.rule} forbids ${wearing} beside it`;
  return judged(guard, first === void 0, because, `somebody who is not its ${first?.clash ?? wearing}`);
}

// ../main/src/kernel/guards/independent.ts
var independent = (kind, level2 = "@pinned") => ({
  guard: "independent",
  kind,
  atLeast: level2
});
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

// ../main/src/kernel/guards/members.ts
var members = (group, states, share, atLeast2 = 0, on = "") => ({
  guard: "members",
  group,
  in: states,
  share,
  atLeast: atLeast2,
  on
});
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

// ../main/src/kernel/guards/previous.ts
function checkPrevious({ guard, in: states }, { item }) {
  const because = `the item came from ${item.previous}`;
  return judged(
    guard,
    states.includes(item.previous),
    because,
    `allowed only when it came from ${states.join(" or ")}`
  );
}

// ../main/src/kernel/guards/probe.ts
var probe = (name) => ({ guard: "probe", name });
function checkProbe({ guard, name }, { gathered }) {
  const found = gathered.probes[name];
  if (found === void 0) return { guard, status: "error", because: `${name} was not checked`, fix: "" };
  return { guard, ...found };
}

// ../main/src/kernel/guards/same.ts
var same = (as) => ({ guard: "same", as });
function checkSame({ guard, as }, { item, command }) {
  const holders = item.marks[as] ?? [];
  const who = holders.length === 0 ? `nobody is ${as}` : `${as} is ${holders.join(", ")}`;
  return judged(guard, holders.includes(command.actor.id), who, `only the ${as} may do this`);
}

// ../main/src/kernel/guards/setting.ts
function checkSetting({ guard, name, is }, { item }) {
  const value = item.settings[name];
  return judged(
    guard,
    value === is,
    `${name} is ${String(value)} for this item`,
    `settings are pinned when an item is opened`
  );
}

// ../main/src/kernel/guards/team.ts
var agents = (atLeast2) => ({ ...team(atLeast2), kind: "agent" });
var team = (atLeast2, role = "", apart2 = "", bond = "lineage") => ({
  guard: "team",
  role,
  atLeast: atLeast2,
  apart: apart2,
  bond,
  kind: "any"
});
function checkTeam({ guard, role, atLeast: atLeast2, apart: apart2, bond, kind }, context) {
  const others = apart2 === "" ? [] : marked(context, apart2);
  const counted = context.world.roster.filter(
    (a) => (kind !== "agent" || a.kind === "agent") && !others.some((o) => bond === "identity" ? o.id === a.id : related(o, a))
  );
  const n = pairsOfEyes(counted, role);
  const holders = role === "" ? kind === "agent" ? "independent agents" : "independent actors" : `independent holders of ${role}`;
  const who = apart2 === "" ? holders : `${holders} apart from the ${apart2}`;
  return judged(guard, n >= atLeast2, `${n} ${who}, ${atLeast2} needed`, `register more ${who}`);
}

// ../main/src/kernel/guards/votes.ts
function checkVotes({ guard, kind, outcome, share, of }, { item }) {
  const last = new Map(freshEvidence(item, kind).map((e) => [e.by, e.outcome]));
  const inFavour = [...last.values()].filter((o) => o === outcome).length;
  const needed = { some: 1, majority: Math.floor(of / 2) + 1, all: of }[share];
  const because = `${inFavour} of ${of} say ${outcome}, ${needed} needed`;
  return judged(
    guard,
    inFavour >= needed && needed > 0,
    because,
    `${kind} verdicts saying ${outcome} are needed`
  );
}

// ../main/src/kernel/guards/index.ts
var not = (of) => ({ guard: "not", of });
var when = (condition, require2) => ({ guard: "when", if: condition, require: require2 });
var CHECKS = {
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
  not: (guard, context) => checkNot(guard, (g) => judge(g, context)),
  any: (guard, context) => checkAny(guard, (g) => judge(g, context)),
  when: (guard, context) => checkWhen(guard, (g) => judge(g, context))
};
var GUARD_NAMES = Object.keys(CHECKS);
function judge(guard, context) {
  const check = CHECKS[guard.guard];
  if (check === void 0) return { guard: guard.guard, status: "error", because: "unknown guard", fix: "" };
  return check(guard, context);
}

// ../main/src/kernel/leaves.ts
function leavesOf(guards) {
  return guards.flatMap((guard) => {
    switch (guard.guard) {
      case "not":
        return leavesOf([guard.of]);
      case "any":
        return leavesOf(guard.of);
      case "when":
        return leavesOf([guard.if, guard.require]);
      default:
        return [guard];
    }
  });
}
var NOTHING = {
  marks: [],
  kinds: [],
  groups: [],
  settings: [],
  counters: [],
  probes: [],
  states: [],
  roles: [],
  subjects: []
};
function readsOf(guards) {
  const all = leavesOf(guards).map((leaf) => ({ ...NOTHING, ...readsOfLeaf(leaf) }));
  const join = (field) => [
    ...new Set(all.flatMap((reads) => reads[field]).filter((name) => name !== ""))
  ];
  return {
    marks: join("marks"),
    kinds: join("kinds"),
    groups: join("groups"),
    settings: join("settings"),
    counters: join("counters"),
    probes: join("probes"),
    states: join("states"),
    roles: join("roles"),
    subjects: join("subjects")
  };
}
function readsOfLeaf(leaf) {
  switch (leaf.guard) {
    case "apart":
      return { marks: [leaf.from] };
    case "same":
      return { marks: [leaf.as] };
    case "evidence":
      return { kinds: [leaf.kind], marks: [leaf.apart] };
    case "absent":
    case "votes":
      return { kinds: [leaf.kind] };
    case "independent":
      return { kinds: [leaf.kind], settings: leaf.atLeast === "@pinned" ? ["independence"] : [] };
    case "members":
      return { groups: [leaf.group], subjects: [leaf.on] };
    case "reaches":
    case "count":
      return { counters: [leaf.counter] };
    case "previous":
      return { states: leaf.in };
    case "probe":
      return { probes: [leaf.name] };
    case "team":
      return { roles: [leaf.role], marks: [leaf.apart] };
    case "setting":
      return { settings: [leaf.name] };
    case "hats":
      return {};
  }
}

// ../main/src/kernel/guard-problems.ts
function marksOf(protocol, carried) {
  return [
    ...protocol.rows.flatMap((row) => [row.as, ...Object.keys(row.names)]),
    ...protocol.evidence.map((row) => row.as),
    ...protocol.policies.flatMap((policy) => policy.carry),
    ...carried
  ].filter((mark) => mark !== "");
}
function outcomesOf(protocol, kind) {
  const own2 = protocol.rows.flatMap((row) => row.records.map((record2) => record2.split(":")));
  return [
    ...protocol.evidence.filter((row) => row.kind === kind).flatMap((row) => row.outcomes),
    ...own2.filter(([name]) => name === kind).map(([, outcome]) => outcome ?? "")
  ];
}
function guardProblems(protocol, guards, carried) {
  const names2 = leafNames(guards).filter((name) => !GUARD_NAMES.includes(name));
  if (names2.length > 0) return names2.map((name) => `unknown guard ${name}`);
  const leaves = leavesOf(guards);
  return [
    ...leaves.flatMap((leaf) => undeclared(protocol, readsOf([leaf]), carried)),
    ...leaves.flatMap((leaf) => {
      if (leaf.guard === "evidence" || leaf.guard === "votes") {
        const legal = outcomesOf(protocol, leaf.kind);
        return legal.length === 0 || legal.includes(leaf.outcome) ? [] : [`a ${leaf.kind} never says ${leaf.outcome}`];
      }
      if (leaf.guard !== "setting") return [];
      const values = protocol.settings[leaf.name] ?? [];
      return values.length === 0 || values.includes(leaf.is) ? [] : [`${leaf.name} is never ${String(leaf.is)}`];
    })
  ];
}
function leafNames(guards) {
  return guards.flatMap((guard) => {
    if (guard.guard === "not") return leafNames([guard.of]);
    if (guard.guard === "any") return leafNames(guard.of);
    if (guard.guard === "when") return leafNames([guard.if, guard.require]);
    return [guard.guard];
  });
}
function undeclared(protocol, reads, carried) {
  const missing = (names2, what, known2) => names2.filter((name) => !known2(name)).map((name) => `unknown ${what} ${name}`);
  const marks = marksOf(protocol, carried);
  return [
    ...missing(reads.marks, "mark", (m) => marks.includes(m)),
    ...missing(reads.kinds, "evidence", (k) => outcomesOf(protocol, k).length > 0),
    ...missing(reads.groups, "group", (g) => protocol.groups.includes(g)),
    ...missing(reads.settings, "setting", (s) => s === "independence" || Object.hasOwn(protocol.settings, s)),
    ...missing(reads.counters, "counter", (c) => Object.hasOwn(protocol.counters, c)),
    ...missing(reads.probes, "probe", (p) => protocol.probes.includes(p)),
    ...missing(reads.states, "state", (s) => Object.hasOwn(protocol.states, s)),
    ...missing(reads.roles, "role", (r) => protocol.roles.includes(r)),
    ...missing(reads.subjects, "subject", (s) => Object.hasOwn(protocol.subjects, s))
  ];
}

// ../main/src/kernel/protocol.ts
var CATEGORIES = [
  "QUEUED",
  "WORKING",
  "SUBMITTED",
  "CHECKING",
  "ACCEPTED",
  "CONFIRMED",
  "REWORK",
  "ESCALATED",
  "CLOSED",
  "FAILED"
];
function expand(protocol, names2) {
  if (!names2.some((name) => name.startsWith("*"))) return names2;
  return names2.flatMap((name) => name.startsWith("*") ? protocol.sets[name] ?? [] : [name]);
}

// ../main/src/kernel/problems.ts
var AUTHORITIES = ["@owner", "human", "engine", "policy"];
var TARGETS = ["@same", "@previous", "@next", "@earlier"];
function problemsOf(protocol, carried = []) {
  return [
    ...statesOf(protocol),
    ...protocol.rows.flatMap(
      (row, n) => rowProblems(protocol, row, carried).map((p) => `row ${n + 1} (${nameOf(row)}): ${p}`)
    ),
    ...protocol.evidence.flatMap(
      (row) => evidenceProblems(protocol, row, carried).map((p) => `evidence ${row.kind}: ${p}`)
    ),
    ...protocol.policies.flatMap(
      (policy, n) => policyProblems(protocol, policy).map((p) => `policy ${n + 1}: ${p}`)
    ),
    ...protocol.forbidden.flatMap((f) => [
      ...unknownStates(protocol, f.from).map((p) => `forbidden ${f.command}: ${p}`),
      ...protocol.rows.some((row) => row.command === f.command) ? [] : [`forbidden ${f.command}: no row has this command`]
    ]),
    ...guardProblems(protocol, protocol.promises, carried).map((p) => `promises: ${p}`),
    ...guardProblems(protocol, protocol.closed, carried).map((p) => `closed: ${p}`),
    ...protocol.gates.flatMap((gate) => gateProblems(protocol, gate).map((p) => `gate ${gate.in}: ${p}`)),
    ...settingProblems(protocol)
  ];
}
var nameOf = (row) => `${row.from.join(", ")} ${row.command || "by itself"}`;
function statesOf(protocol) {
  const { states, sets, order, initial, roles: roles2, subjects } = protocol;
  const known2 = (name) => Object.hasOwn(states, name);
  return [
    ...known2(initial) ? [] : [`the initial state ${initial} is not a state`],
    ...Object.keys(states).filter((s) => !/^[A-Za-z][\w-]*$/.test(s)).map((s) => `${s} cannot be the name of a state`),
    ...repeated(order).map((s) => `order names ${s} twice`),
    ...repeated(roles2).map((r) => `role ${r} is declared twice`),
    ...roles2.filter((r) => AUTHORITIES.includes(r)).map((r) => `${r} has a meaning of its own and cannot be a role`),
    ...Object.entries(states).flatMap(([state, { category, owner }]) => [
      ...CATEGORIES.includes(category) ? [] : [`state ${state} has the unknown category ${String(category)}`],
      ...owner === "" || owner === "human" || roles2.includes(owner) ? [] : [`state ${state} is owned by the unknown role ${owner}`]
    ]),
    ...Object.entries(sets).flatMap(([set, members2]) => [
      ...set.startsWith("*") ? [] : [`the set ${set} must start with *`],
      ...members2.filter((s) => !known2(s)).map((s) => `the set ${set} names the unknown state ${s}`)
    ]),
    ...order.filter((s) => !known2(s)).map((s) => `order names the unknown state ${s}`),
    ...Object.entries(subjects).flatMap(([name, s]) => [
      ...unknownStates(protocol, s.in).map((p) => `subject ${name}: ${p}`),
      ...unknownRoles(protocol, s.by).map((p) => `subject ${name}: ${p}`)
    ])
  ];
}
var repeated = (names2) => [
  ...new Set(names2.filter((name, n) => names2.indexOf(name) !== n))
];
function unknownStates(protocol, names2) {
  return names2.filter((name) => !Object.hasOwn(name.startsWith("*") ? protocol.sets : protocol.states, name)).map((name) => `unknown ${name.startsWith("*") ? "set" : "state"} ${name}`);
}
function unknownRoles(protocol, by) {
  return by.filter((role) => !protocol.roles.includes(role) && !AUTHORITIES.includes(role)).map((role) => `unknown role ${role}`);
}
function rowProblems(protocol, row, carried) {
  return [
    ...row.from.length === 0 ? ["it leads out of no state"] : [],
    ...row.by.length === 0 ? ["nobody may take it"] : [],
    ...row.command === "" || /^[a-z][a-z0-9-]*$/.test(row.command) ? [] : [`${row.command} cannot be a command`],
    ...unknownStates(protocol, row.from),
    ...TARGETS.includes(row.to) ? [] : unknownStates(protocol, [row.to]),
    ...row.via === "" ? [] : unknownStates(protocol, [row.via]).map((p) => `via: ${p}`),
    ...unknownRoles(protocol, row.by),
    ...ownerless(protocol, row),
    ...Object.values(row.names).filter((a) => !row.takes.includes(a)).map((a) => `it names ${a}, which it does not take`),
    ...row.counts.flatMap((rule) => countProblems(protocol, rule)),
    ...row.records.flatMap((record2) => recordProblems(protocol, record2)),
    ...row.moves.filter((s) => !Object.hasOwn(protocol.subjects, s)).map((s) => `it moves the unknown subject ${s}`),
    ...row.forgets.filter((name) => !forgettable(protocol, name, carried)).map((name) => `it forgets ${name}, which nothing remembers`),
    ...row.command === "" ? byItselfProblems(row) : [],
    ...guardProblems(protocol, row.requires, carried)
  ];
}
function ownerless(protocol, row) {
  if (!row.by.includes("@owner")) return [];
  return expand(protocol, row.from).filter((state) => (protocol.states[state]?.owner ?? "") === "").map((state) => `${state} has no owner`);
}
function byItselfProblems(row) {
  return [
    ...row.by.every((role) => role === "engine") ? [] : ["a row without a command is taken by the engine alone"],
    ...readsOf(row.requires).probes.length > 0 ? ["a row without a command cannot ask a probe"] : [],
    ...row.takes.length > 0 ? ["a row without a command takes no arguments"] : [],
    ...row.via !== "" ? ["a row without a command has no via"] : []
  ];
}
function countProblems(protocol, rule) {
  const name = /^(?:\+|0[*^]?)([A-Za-z][\w-]*)$/.exec(rule)?.[1];
  if (name === void 0) return [`${rule} is not a counting rule: +name, 0name, 0^name or 0*name`];
  return !Object.hasOwn(protocol.counters, name) ? [`it counts ${name}, which has no limit declared`] : [];
}
function recordProblems(protocol, record2) {
  const [kind = "", outcome = "", subject = "", ...rest] = record2.split(":");
  if ([kind, outcome, subject].includes("") || rest.length > 0)
    return [`${record2} is not kind:outcome:subject`];
  return !Object.hasOwn(protocol.subjects, subject) ? [`it records on the unknown subject ${subject}`] : [];
}
function evidenceProblems(protocol, row, carried) {
  return [
    ...row.outcomes.length === 0 ? ["it has no outcome"] : [],
    ...unknownStates(protocol, row.in),
    ...unknownRoles(protocol, row.by),
    ...!Object.hasOwn(protocol.subjects, row.on) ? [`it stands on the unknown subject ${row.on}`] : [],
    ...row.verdict === "" || row.outcomes.includes(row.verdict) ? [] : [`its verdict ${row.verdict} is none of its outcomes`],
    ...readsOf(row.requires).probes.length > 0 ? ["evidence cannot ask a probe"] : [],
    ...guardProblems(protocol, row.requires, carried)
  ];
}
function policyProblems(protocol, policy) {
  return [
    ...policy.enters.length + policy.commands.length === 0 ? ["nothing sets it off"] : [],
    ...policy.enters.filter((s) => s !== "*").flatMap((s) => unknownStates(protocol, [s])),
    ...policy.commands.filter((c) => !protocol.rows.some((row) => row.command === c)).map((c) => `no row has the command ${c}`),
    ...policy.note === "" && policy.send === "" ? ["it neither notes nor sends anything"] : [],
    ...policy.asks === "" || Object.hasOwn(protocol.subjects, policy.asks) ? [] : [`it asks about the unknown subject ${policy.asks}`]
  ];
}
function gateProblems(protocol, { in: state, pass, fail, role }) {
  const rowsOf = (command) => protocol.rows.filter((row) => row.command === command && expand(protocol, row.from).includes(state));
  const open = rowsOf(pass).filter((row) => !readsOf(row.requires).kinds.includes("proof-pack"));
  const records = protocol.evidence.some(
    (row) => row.kind === "proof-pack" && expand(protocol, row.in).includes(state)
  );
  return [
    ...unknownStates(protocol, [state]),
    ...rowsOf(pass).length === 0 ? [`no row ${pass} leads out of it`] : [],
    ...open.length > 0 ? [`${pass} can be taken without a proof-pack`] : [],
    ...fail !== "" && rowsOf(fail).length === 0 ? [`no row ${fail} leads out of it`] : [],
    ...records ? [] : ["no proof-pack can be recorded in it"],
    ...role === "" || protocol.roles.includes(role) ? [] : [`unknown role ${role}`]
  ];
}
function settingProblems(protocol) {
  return Object.entries(protocol.settings).filter(([, values]) => values.length === 0).map(([name]) => `setting ${name} has no value`);
}
function forgettable(protocol, name, carried) {
  return marksOf(protocol, carried).includes(name) || protocol.groups.includes(name) || outcomesOf(protocol, name).length > 0;
}

// ../main/src/kernel/command.ts
var NOTHING_GATHERED = { probes: {}, subjects: {}, facts: {} };

// ../main/src/kernel/standing.ts
function unasked(at) {
  return { id: "", name: "", actor: ENGINE, at, reason: "", arguments: {}, proof: void 0 };
}
function judgeStanding({ counters }, guards, item, world) {
  const context = { counters, item, command: unasked(""), world, gathered: NOTHING_GATHERED };
  return guards.map((guard) => judge(guard, context));
}

// ../main/src/kernel/check/circles.ts
function circlesOf(size, edges) {
  const next = Array.from({ length: size }, () => []);
  for (const { from, to } of edges) next[from]?.push(to);
  const circle = new Array(size).fill(-1);
  const search = { next, order: /* @__PURE__ */ new Map(), low: /* @__PURE__ */ new Map(), circle, stack: [] };
  for (let root = 0; root < size; root++) if (!search.order.has(root)) visit(search, root);
  return circle;
}
function visit(search, root) {
  const calls = [enter(search, root)];
  for (let call = calls.at(-1); call !== void 0; call = calls.at(-1)) {
    const to = search.next[call.moment]?.[call.at++];
    if (to === void 0) {
      calls.pop();
      leave(search, call.moment, calls.at(-1));
    } else if (!search.order.has(to)) calls.push(enter(search, to));
    else if (search.circle[to] === -1) lower(search, call.moment, search.order.get(to) ?? 0);
  }
}
function enter({ order, low, stack }, moment) {
  low.set(moment, order.size);
  order.set(moment, order.size);
  stack.push(moment);
  return { moment, at: 0 };
}
function lower({ low }, moment, value) {
  low.set(moment, Math.min(low.get(moment) ?? value, value));
}
function leave(search, moment, above) {
  const { order, low, stack, circle } = search;
  if (low.get(moment) === order.get(moment)) {
    let top = stack.pop();
    while (top !== void 0) {
      circle[top] = moment;
      top = top === moment ? void 0 : stack.pop();
    }
  }
  if (above !== void 0) lower(search, above.moment, low.get(moment) ?? 0);
}

// ../main/src/kernel/own.ts
function own(record2, name) {
  return Object.hasOwn(record2, name) ? record2[name] : void 0;
}

// ../main/src/kernel/work-item.ts
var UNOPENED = {
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

// ../main/src/kernel/evolve.ts
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
var namesIn = (argument) => argument.split(",").map((name) => name.trim());
function moved(protocol, item, e) {
  const row = protocol.rows[e.row];
  const staying = e.from === e.to;
  const escalated2 = protocol.states[e.from]?.category === "ESCALATED";
  const step2 = {
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
    previous: escalated2 || staying ? item.previous : e.from,
    enteredAt: staying ? item.enteredAt : e.at,
    elapsed: staying ? item.elapsed : [],
    steps: [...item.steps, step2]
  };
  return row === void 0 ? next : applyRow(protocol, next, row, e, item.previous);
}
function applyRow(protocol, item, row, e, previous) {
  let next = {
    ...item,
    counters: applyCounts(protocol.counters, item.counters, row.counts, e.origin, previous)
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
function forget(item, names2) {
  if (names2.length === 0) return item;
  const keep = (record2) => Object.fromEntries(Object.entries(record2).filter(([key]) => !names2.includes(key)));
  const evidence2 = item.evidence.map((e) => names2.includes(e.kind) ? { ...e, generation: -1 } : e);
  return { ...item, marks: keep(item.marks), members: keep(item.members), evidence: evidence2 };
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
  const { kind, outcome, by, requestedBy, at, facts, independence: independence2 } = e;
  const found = {
    ...evidenceOn(item, row?.on ?? "", { kind, outcome, by, requestedBy, at, facts }),
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

// ../main/src/kernel/check/setup.ts
function alone(protocol) {
  return {
    name: protocol.name,
    main: "item",
    streams: { item: { protocol, seat: "" } },
    links: {},
    alike: []
  };
}
function isSetup(subject) {
  return "streams" in subject;
}
function protocolsOf(setup2) {
  return [...new Map(Object.values(setup2.streams).map((s) => [s.protocol.name, s.protocol])).values()];
}
function seatsOf(setup2) {
  return Object.entries(setup2.streams).filter(([, stream]) => stream.seat !== "").map(([id, stream]) => ({ id, role: stream.seat }));
}
function rolesIn(setup2) {
  return [...new Set(protocolsOf(setup2).flatMap((p) => p.roles))];
}
function mayActOn(setup2, id, actor, actors) {
  const seat = setup2.streams[id]?.seat ?? "";
  if (seat === "" || actor.kind === "system" || !actors.some((a) => a.id === id)) return true;
  return actor.id === id || actor.kind === "human" && actor.roles.length === 0;
}
function guardsOf(protocol) {
  const { rows, evidence: evidence2, promises, closed } = protocol;
  return [...rows.flatMap((r) => r.requires), ...evidence2.flatMap((r) => r.requires), ...promises, ...closed];
}
function settingsOf(protocol, fed) {
  const read = readsOf(guardsOf(protocol).filter((g) => !onlyAsksOutside(g, fed))).settings;
  const names2 = Object.keys(protocol.settings);
  const defaults = Object.fromEntries(names2.map((name) => [name, protocol.settings[name]?.[0] ?? ""]));
  return names2.filter((name) => name === "independence" || read.includes(name)).reduce(
    (all, name) => all.flatMap((s) => (protocol.settings[name] ?? []).map((v) => ({ ...s, [name]: v }))),
    [defaults]
  );
}
function onlyAsksOutside(guard, fed) {
  if (guard.guard !== "when") return false;
  const { marks, kinds, counters, states, roles: roles2, groups } = readsOf([guard.require]);
  const inner = marks.length + kinds.length + counters.length + states.length + roles2.length;
  return inner === 0 && readsOf([guard.require]).settings.length === 0 && groups.every((group) => !fed.includes(group));
}
function fedGroups(setup2, id) {
  const notes = Object.entries(setup2.streams).flatMap(
    ([teller, { protocol }]) => protocol.policies.filter((policy) => setup2.links[teller]?.[policy.tell]?.includes(id) ?? false).map((policy) => policy.note)
  );
  return [...new Set(notes.filter((note) => note !== ""))];
}

// ../main/src/kernel/check/liveness.ts
var names = (guards) => {
  const { marks, kinds, settings } = readsOf(guards);
  return [
    ...marks.map((m) => `mark ${m}`),
    ...kinds.map((k) => `evidence ${k}`),
    ...settings.map((s) => `setting ${s}`),
    ...leavesOf(guards).flatMap((leaf) => leaf.guard === "independent" ? [`level ${leaf.kind}`] : [])
  ];
};
var known = (kind) => [`evidence ${kind}`, `level ${kind}`];
function livenessOf(protocol) {
  const states = Object.keys(protocol.states);
  const always = [
    "mark builder",
    "setting independence",
    ...names(protocol.closed),
    ...protocol.policies.flatMap((policy) => policy.carry.map((m) => `mark ${m}`))
  ];
  const live = new Map(states.map((state) => [state, new Set(always)]));
  for (const [state, { success }] of Object.entries(protocol.states)) {
    if (success) for (const name of names(protocol.promises)) live.get(state)?.add(name);
  }
  for (const row of protocol.evidence) {
    const reads = [...names(row.requires), ...row.once ? known(row.kind) : []];
    for (const state of expand(protocol, row.in)) for (const name of reads) live.get(state)?.add(name);
  }
  const flows = protocol.rows.flatMap((row) => flowsOf(protocol, row));
  while (flows.map((flow) => flowBack(live, flow)).includes(true)) ;
  return Object.fromEntries(live);
}
function flowsOf(protocol, row) {
  const backing2 = row.verdict ? readsOf(row.requires).kinds.flatMap(known) : [];
  const reads = [...names(row.requires), ...backing2];
  const drops = dropped(protocol, row);
  return expand(protocol, row.from).map((from) => ({
    from,
    to: mayLeadTo(protocol, row, from),
    reads,
    drops
  }));
}
function flowBack(live, { from, to, reads, drops }) {
  const set = live.get(from) ?? /* @__PURE__ */ new Set();
  const before = set.size;
  const onward = to.flatMap((state) => [...live.get(state) ?? []]).filter((name) => !drops.has(name));
  for (const name of [...reads, ...onward]) set.add(name);
  return set.size > before;
}
function mayLeadTo(protocol, row, from) {
  if (row.to === "@same") return [from];
  return row.to.startsWith("@") ? Object.keys(protocol.states) : expand(protocol, [row.to]);
}
function dropped(protocol, row) {
  const moved3 = row.attempt ? Object.keys(protocol.subjects) : row.moves;
  const own2 = row.records.map((record2) => record2.split(":")[0]);
  const kinds = readsOf(guardsOf(protocol)).kinds.concat(protocol.evidence.map((e) => e.kind));
  const stale = kinds.filter(
    (kind) => !own2.includes(kind) && subjectsOf(protocol, kind).every((s) => moved3.includes(s))
  );
  const forgotten = row.forgets.filter((name) => !own2.includes(name));
  return /* @__PURE__ */ new Set([
    ...row.forgets.filter((mark) => mark !== row.as && row.names[mark] === void 0).map((m) => `mark ${m}`),
    ...[...forgotten, ...stale].flatMap(known)
  ]);
}
function subjectsOf(protocol, kind) {
  const recorded2 = protocol.rows.flatMap((row) => row.records.map((record2) => record2.split(":")));
  return [
    ...protocol.evidence.filter((row) => row.kind === kind).map((row) => row.on),
    ...recorded2.filter(([name]) => name === kind).map(([, , on]) => on ?? "")
  ];
}

// ../main/src/kernel/check/run.ts
function tableOf(protocol) {
  const leaves = leavesOf(guardsOf(protocol));
  const states = Object.keys(protocol.states);
  const leaving = (state) => protocol.rows.filter((row) => expand(protocol, row.from).includes(state));
  const looksBack = states.filter(
    (state) => protocol.states[state]?.category === "ESCALATED" || leaving(state).some(
      (row) => /^@(previous|next|earlier)$/.test(row.to) || row.counts.some((rule) => rule.startsWith("0^")) || readsOf(row.requires).states.length > 0
    )
  );
  const voiced = protocol.evidence.filter((row) => row.each).map((row) => row.kind);
  const asked = leaves.flatMap(
    (l) => l.guard === "votes" || l.guard === "evidence" && l.apart !== "" ? [l.kind] : []
  );
  return {
    protocol,
    live: livenessOf(protocol),
    looksBack: new Set(looksBack),
    personal: /* @__PURE__ */ new Set([...voiced, ...asked]),
    counted: new Set(readsOf(guardsOf(protocol)).groups),
    ownLevels: leaves.some((leaf) => leaf.guard === "independent" && leaf.atLeast !== "@pinned"),
    comparesDigests: leaves.some((leaf) => leaf.guard === "members" && leaf.on !== ""),
    ends: new Set(states.filter((state) => leaving(state).length === 0 && protocol.states[state]?.final))
  };
}
var POLICY = { id: "policy", kind: "system", roles: ["policy"], ancestors: [] };
function newRun(setup2, roster, tables) {
  const fed = Object.fromEntries(Object.keys(setup2.streams).map((id) => [id, fedGroups(setup2, id)]));
  return { setup: setup2, roster, tables, fed, world: { roster: roster.actors, groups: {} } };
}
function nameOf2(run, places) {
  const changed = Object.entries(places).flatMap(([id, { item }]) => {
    const declared = run.setup.streams[id]?.protocol.settings ?? {};
    return Object.entries(item.settings).filter(([name, value]) => declared[name]?.[0] !== value).map(([name, value]) => `${name}=${value}`);
  });
  return [run.roster.name, ...new Set(changed)].join(", ");
}
function opened2(run, choice) {
  return Object.fromEntries(
    Object.entries(run.setup.streams).map(([id, { protocol }]) => {
      const event = {
        type: "opened",
        at: "",
        by: "engine",
        protocol: { name: protocol.name, version: protocol.version, digest: "" },
        state: protocol.initial,
        number: 0,
        list: "",
        kind: "",
        title: "",
        settings: choice[protocol.name] ?? {},
        legacy: false,
        facts: {}
      };
      return [id, { item: evolve(protocol, UNOPENED, event), passes: [], overridden: false, carried: [] }];
    })
  );
}

// ../main/src/kernel/check/ends.ts
function judgeEnds(run, graph, findings) {
  const { moments, edges, closed, pathTo } = graph;
  const report = (property, what, moment) => findings.add(property, what, { path: () => pathTo(moment), roster: nameOf2(run, moments[moment] ?? {}) });
  const ended = moments.map((places) => isEnd(run, places));
  const toEnd = canReach(moments.length, edges, (m) => ended[m] ?? false);
  const toEndAlone = canReach(
    moments.length,
    edges.filter((edge) => edge.by !== "human"),
    (m) => ended[m] ?? false
  );
  const leaves = new Set(edges.map((edge) => edge.from));
  moments.forEach((places, m) => {
    const state = places[run.setup.main]?.item.state ?? "";
    if (ended[m]) return;
    const gates = closed[m] ?? [];
    if (!leaves.has(m) && gates.length > 0) {
      report(
        "refusal-without-exit",
        `in ${state} the gate of ${gates.join(" and ")} is closed and nobody can do anything else`,
        m
      );
    }
    if (!toEnd[m]) report("dead-end", `from ${state} no end can be reached`, m);
    else if (!toEndAlone[m]) report("needs-human", `from ${state} only a person leads on to an end`, m);
  });
  const { main, streams } = run.setup;
  const isSuccess = (m) => streams[main]?.protocol.states[moments[m]?.[main]?.item.state ?? ""]?.success === true;
  const toSuccess = canReach(moments.length, edges, isSuccess);
  const stuck = graph.starts.find((start) => !toSuccess[start]);
  if (stuck !== void 0)
    report("no-success", `the cast of ${run.roster.name} never reaches a success`, stuck);
  const loop = endlessStates(run, graph);
  if (loop.length > 0) {
    report("endless", `agents alone can go round for ever through ${loop.join(", ")}`, 0);
  }
}
function isEnd(run, places) {
  const protocol = run.setup.streams[run.setup.main]?.protocol;
  const item = places[run.setup.main]?.item;
  if (protocol === void 0 || item === void 0) return false;
  const state = protocol.states[item.state];
  return state?.final === true || state?.success === true || isClosed(run, item);
}
function isClosed(run, item) {
  const protocol = run.setup.streams[run.setup.main]?.protocol;
  if (protocol === void 0 || protocol.closed.length === 0) return false;
  return judgeStanding(protocol, protocol.closed, item, run.world).every(opens);
}
function canReach(size, edges, goal2) {
  const before = Array.from({ length: size }, () => []);
  for (const { from, to } of edges) before[to]?.push(from);
  const reaches2 = Array.from({ length: size }, (_, moment) => goal2(moment));
  const open = reaches2.flatMap((yes, moment) => yes ? [moment] : []);
  for (let moment = open.pop(); moment !== void 0; moment = open.pop()) {
    for (const earlier of before[moment] ?? []) {
      if (reaches2[earlier]) continue;
      reaches2[earlier] = true;
      open.push(earlier);
    }
  }
  return reaches2;
}
function endlessStates(run, { moments, edges }) {
  const alone2 = edges.filter((edge) => edge.by !== "human");
  const circle = circlesOf(moments.length, alone2);
  const state = (m) => moments[m]?.[run.setup.main]?.item.state ?? "";
  const inside = alone2.filter((e) => circle[e.from] === circle[e.to] && state(e.from) !== state(e.to));
  return [...new Set(inside.flatMap((e) => [state(e.from), state(e.to)]))];
}

// ../main/src/kernel/check/place.ts
function step(protocol, place, event) {
  const evolved = evolve(protocol, place.item, event);
  const item = {
    ...evolved,
    version: 0,
    steps: [],
    elapsed: [],
    evidence: evolved.evidence.filter((e) => e.generation === (evolved.subjects[e.on]?.generation ?? 0))
  };
  if (event.type === "moved") return moved2(protocol, { ...place, item }, event);
  const passes = event.type === "recorded" ? withRecorded(protocol, place.passes, item, event) : place.passes;
  const again = event.type === "recorded" ? event.kind : "";
  const carried = place.carried.filter((kind) => kind !== again && freshEvidence(item, kind).length > 0);
  return { ...place, item, passes: standing(passes, item), carried };
}
function withPass(passes, pass) {
  const { by, proven, backed, as } = pass;
  const others = passes.filter(
    (p) => p.by !== by || p.proven !== proven || p.backed !== backed || p.as !== as
  );
  return [...others, pass];
}
function standing(passes, item) {
  return passes.filter(
    (pass) => Object.entries(pass.on).every(([name, generation]) => item.subjects[name]?.generation === generation)
  );
}
function presentValues(item) {
  return Object.fromEntries(Object.entries(item.subjects).map(([name, s]) => [name, s.generation]));
}
function moved2(protocol, place, event) {
  const row = protocol.rows[event.row];
  if (row === void 0) return place;
  const kept = row.as === "builder" ? [] : place.passes.filter((p) => p.as === "" || !row.forgets.includes(p.as));
  const pass = {
    by: event.by,
    proven: event.proof !== "",
    backed: backing(protocol, row, place.item),
    as: row.as,
    on: presentValues(place.item)
  };
  const passes = standing(row.verdict ? withPass(kept, pass) : kept, place.item);
  const found = place.item.evidence.map((e) => e.kind).filter((kind) => givenByEngineOnly(protocol, kind));
  const old = row.as === "builder" ? found : place.carried;
  const carried = [...new Set(old)].filter((kind) => freshEvidence(place.item, kind).length > 0).sort();
  return { ...place, passes, carried, overridden: place.overridden || row.override };
}
function backing(protocol, row, item) {
  const levels = leavesOf(row.requires).flatMap((leaf) => leaf.guard === "evidence" ? [leaf] : []).filter(({ kind }) => givenByEngineOnly(protocol, kind)).map(({ kind, outcome }) => ({ latest: latestEvidence(item, kind), outcome })).flatMap(({ latest, outcome }) => latest?.outcome === outcome ? [latest.independence] : []);
  return levels.toSorted((a, b) => INDEPENDENCE.indexOf(b) - INDEPENDENCE.indexOf(a))[0] ?? "";
}
function givenByEngineOnly(protocol, kind) {
  const rows = protocol.evidence.filter((row) => row.kind === kind);
  return rows.length > 0 && rows.every((row) => row.by.length === 1 && row.by[0] === "engine");
}
function withRecorded(protocol, passes, item, event) {
  const row = protocol.evidence[event.row];
  if (row === void 0 || row.verdict === "" || row.verdict !== event.outcome) return passes;
  const on = { [row.on]: item.subjects[row.on]?.generation ?? 0 };
  const backed = row.by.includes("engine") ? event.independence : "";
  return withPass(passes, { by: event.by, proven: event.proof !== "", backed, as: row.as, on });
}
function minimumOf(protocol, item) {
  const demanded = protocol.settings.independence === void 0 ? void 0 : item.settings.independence;
  const level2 = demandedLevel(demanded);
  return atLeast(level2, protocol.independence) ? level2 : protocol.independence;
}
function judgedEnough(protocol, { item, passes }, world) {
  const minimum = minimumOf(protocol, item);
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  return passes.some((pass) => {
    if (pass.backed !== "" && atLeast(pass.backed, minimum)) return true;
    const giver = world.roster.find((a) => a.id === pass.by);
    if (giver === void 0) return false;
    if (giver.kind === "human") return pass.proven;
    if (builders.length === 0 || builders.some((b) => related(b, giver))) return false;
    return atLeast(independence(giver, builders, pass.proven), minimum);
  });
}

// ../main/src/kernel/check/canonical.ts
function keyOf(run, places) {
  const renamed = /* @__PURE__ */ new Map();
  const final = (id) => renamed.get(id) ?? id;
  for (const groups of [run.setup.alike, run.roster.alike]) {
    if (groups.length === 0) continue;
    const open = new Map(groups.flat().map((id) => [id, []]));
    const seen = (id) => open.has(id) ? "~" : final(id);
    write(run, places, seen, (id, where) => {
      open.get(id)?.push(where);
      return seen(id);
    });
    for (const ids of groups) for (const [id, to] of inOrder(ids, open)) renamed.set(id, to);
  }
  return write(run, places, final, final);
}
function inOrder(ids, stands) {
  const signed = ids.map((id) => ({ id, text: [...stands.get(id) ?? []].sort().join("\n") }));
  signed.sort((a, b) => a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  return signed.map(({ id }, n) => [id, ids[n] ?? id]);
}
function write(run, places, called, name) {
  const digests = digestNames();
  const items = Object.entries(places).map(([id, place]) => {
    const table = run.tables[id];
    const within = (x, where) => name(x, `${called(id)}.${where}`);
    const content = table === void 0 ? [] : contentOf(table, place, within, digests);
    return [name(id, JSON.stringify(content)), content];
  });
  return JSON.stringify(items.sort(byFirst));
}
var byFirst = (a, b) => String(a[0]) < String(b[0]) ? -1 : String(a[0]) > String(b[0]) ? 1 : 0;
function digestNames() {
  const known2 = /* @__PURE__ */ new Map();
  return (digest) => {
    const n = known2.get(digest) ?? known2.size;
    known2.set(digest, n);
    return n;
  };
}
function contentOf(table, place, name, digest) {
  const { item } = place;
  if (table.ends.has(item.state)) return [item.state, place.overridden];
  return [
    item.state,
    place.overridden,
    table.looksBack.has(item.state) ? item.previous : "",
    Object.entries(item.counters).sort(byFirst),
    Object.entries(item.settings).filter(([setting]) => table.live[item.state]?.has(`setting ${setting}`)),
    marksOf2(table, place, name),
    evidenceOf(table, place, name),
    membersOf(table, place, name, digest),
    passesOf(table, place, name),
    place.carried.filter((kind) => table.live[item.state]?.has(`evidence ${kind}`)),
    table.comparesDigests || table.protocol.policies.some((p) => p.asks !== "") ? Object.values(item.subjects).map((s) => digest(s.digest)) : []
  ];
}
function passesOf(table, place, name) {
  const passes = place.passes.map(({ by, proven, backed, as }) => {
    const enough2 = level(table, place, backed) === "enough";
    return enough2 ? ["enough", as] : [name(by, `pass ${as}`), proven, backed, as];
  });
  return [...new Map(passes.map((pass) => [pass.join(), pass])).values()].sort(byText);
}
var byText = (a, b) => {
  const [x, y] = [a.join(), b.join()];
  return x < y ? -1 : x > y ? 1 : 0;
};
function marksOf2(table, { item }, name) {
  return Object.entries(item.marks).filter(([mark, ids]) => ids.length > 0 && table.live[item.state]?.has(`mark ${mark}`)).sort(byFirst).map(([mark, ids]) => [mark, ...ids.map((id) => name(id, mark)).sort()]);
}
function evidenceOf(table, place, name) {
  const { item } = place;
  const live = table.live[item.state];
  const kinds = [...new Set(item.evidence.map((e) => e.kind))].filter(
    (kind) => live?.has(`evidence ${kind}`)
  );
  return kinds.sort().map((kind) => {
    const fresh = freshEvidence(item, kind);
    const latest = fresh.at(-1);
    const far = (e) => live?.has(`level ${kind}`) ? level(table, place, e.independence) : "";
    const said = (e) => [name(e.by, `${kind} ${e.outcome}`), e.outcome, far(e)];
    const voicing = table.personal.has(kind) ? fresh : [];
    const voices = [...new Map(voicing.map((e) => [e.by, said(e)])).values()].sort(byText);
    const furthest = Math.max(...fresh.map((e) => LEVELS.indexOf(far(e))));
    return [kind, latest?.outcome, latest && far(latest), furthest, voices];
  });
}
var LEVELS = [...INDEPENDENCE, "enough"];
function level(table, { item }, value) {
  if (value === "" || table.ownLevels) return value;
  return atLeast(value, minimumOf(table.protocol, item)) ? "enough" : value;
}
function membersOf(table, { item }, name, digest) {
  return Object.entries(item.members).filter(([group]) => table.counted.has(group)).sort(byFirst).map(([group, entries]) => [
    group,
    ...Object.entries(entries).map(([id, m]) => [
      name(id, `${group} ${m.state}`),
      m.state,
      table.comparesDigests ? digest(m.asked) : 0
    ]).sort(byText)
  ]);
}

// ../main/src/kernel/target.ts
function targetsOf(protocol, row, item) {
  if (row.to.startsWith("*")) return protocol.sets[row.to] ?? [];
  const at = protocol.order.indexOf(item.previous);
  switch (row.to) {
    case "@same":
      return [item.state];
    case "@previous":
      return [item.previous];
    case "@next":
      return at < 0 ? [] : protocol.order.slice(at + 1, at + 2);
    case "@earlier":
      return at < 0 ? [] : protocol.order.slice(0, at);
    default:
      return [row.to];
  }
}

// ../main/src/kernel/decide.ts
function decide(protocol, item, command, world, gathered = NOTHING_GATHERED) {
  const named = rowsFor(protocol, item, command.name);
  if (named.length === 0) return refuseUnlisted(protocol, item, command.name);
  const allowed = named.filter(({ row }) => mayTake(protocol, row.by, item.state, command));
  if (allowed.length === 0) {
    const roles2 = [...new Set(named.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse("wrong-role", `Only ${roles2.join(" or ")} may ${command.name} this item`);
  }
  const aimed = allowed.filter(({ row }) => argumentsMissing(protocol, row, item, command).length === 0);
  if (aimed.length === 0) {
    const missing = allowed.flatMap(({ row }) => argumentsMissing(protocol, row, item, command));
    return refuse("bad-arguments", `${command.name} needs ${[...new Set(missing)].join(", ")}`);
  }
  const context = { counters: protocol.counters, item, command, world, gathered };
  const judged2 = aimed.map((entry) => ({
    ...entry,
    verdicts: entry.row.requires.map((g) => judge(g, context))
  }));
  const open = judged2.find(({ verdicts }) => verdicts.every(opens));
  if (open !== void 0) {
    const events = movesOf(protocol, open, item, command, gathered);
    return { kind: "accepted", events, verdicts: open.verdicts };
  }
  const closed = unique(judged2.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v))));
  return refuse("gate-closed", `${command.name} is not open yet`, closed);
}
function rowsFor(protocol, item, command) {
  return protocol.rows.map((row, index) => ({ row, index })).filter(({ row }) => row.command === command && expand(protocol, row.from).includes(item.state));
}
function mayTake(protocol, by, state, { actor, proof }) {
  return rolesOf(protocol, by, state).some(
    (role) => role === "human" ? actor.kind === "human" && proof !== void 0 : actor.roles.includes(role)
  );
}
function rolesOf(protocol, by, state) {
  return by.map((role) => role === "@owner" ? protocol.states[state]?.owner ?? "" : role);
}
function argumentsMissing(protocol, row, item, command) {
  const given = (name) => name === "reason" ? command.reason : own(command.arguments, name) ?? "";
  const missing = row.takes.filter((name) => given(name).trim() === "");
  const targets = targetsOf(protocol, row, item);
  if (targets.length === 1) return missing;
  return targets.includes(command.arguments.to ?? "") ? missing : [...missing, `to (${targets.join(", ") || "nowhere"})`];
}
function movesOf(protocol, entry, item, command, gathered) {
  const { row, index, verdicts } = entry;
  const targets = targetsOf(protocol, row, item);
  const to = targets.length === 1 ? targets[0] ?? item.state : command.arguments.to ?? "";
  const { name, at, actor, reason, proof } = command;
  const { subjects, facts } = gathered;
  const move = {
    type: "moved",
    at,
    by: actor.id,
    origin: item.state,
    command: name,
    arguments: command.arguments,
    reason,
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
function refuseUnlisted(protocol, item, command) {
  if (!protocol.rows.some((row) => row.command === command)) {
    return refuse("unknown-command", `the protocol ${protocol.name} has no command ${command}`);
  }
  const listed = protocol.forbidden.find(
    (f) => f.command === command && expand(protocol, f.from).includes(item.state)
  );
  if (listed !== void 0) {
    return refuse("no-transition", listed.because, [unsatisfied("table", listed.because, listed.instead)]);
  }
  const because = protocol.states[item.state]?.final ? `${item.state} is final: nothing leads out of it` : `${command} does not lead out of ${item.state}`;
  return refuse("no-transition", because);
}
function refuse(code, because, verdicts = []) {
  return { kind: "refused", code, because, verdicts };
}
function unique(verdicts) {
  const key = (v) => `${v.guard}\0${v.because}`;
  return [...new Map(verdicts.map((v) => [key(v), v])).values()];
}

// ../main/src/kernel/settle.ts
function settle(protocol, item, world, at) {
  const command = unasked(at);
  const events = [];
  let current = item;
  if (!protocol.rows.some((row) => row.command === "")) return { item, events, loop: false };
  for (let n = 0; n <= Object.keys(protocol.states).length; n++) {
    const decision = decide(protocol, current, command, world);
    if (decision.kind === "refused") return { item: current, events, loop: false };
    for (const event of decision.events) {
      current = evolve(protocol, current, event);
      events.push(event);
    }
  }
  return { item: current, events, loop: true };
}

// ../main/src/kernel/check/watch.ts
function observed(run, protocol, place, event, watch) {
  if (event.type === "moved") beforeMove(run, protocol, place, event, watch);
  if (event.type === "recorded") {
    watch.reached(protocol, `evidence ${event.row}`);
    const row = protocol.evidence[event.row];
    if (row?.verdict === event.outcome && event.outcome !== "") {
      selfVerdict(run, protocol, place, event.by, row.by, `gives a ${event.kind}`, watch);
    }
  }
  const next = step(protocol, place, event);
  if (event.type !== "moved") return next;
  watch.reached(protocol, `state ${event.to}`);
  if (event.row >= 0) watch.reached(protocol, `row ${event.row}`);
  if (event.to !== event.from && protocol.states[event.to]?.success) onSuccess(run, protocol, next, watch);
  return next;
}
function beforeMove(run, protocol, place, event, watch) {
  const row = protocol.rows[event.row];
  if (row === void 0) return;
  for (const name of row.counts.filter((rule) => rule.startsWith("+")).map((rule) => rule.slice(1))) {
    const limit = protocol.counters[name]?.limit ?? 0;
    if (countOf(protocol.counters, place.item.counters, name, event.origin) >= limit) {
      watch.found(
        "counter",
        `${name} would pass ${limit} when ${event.origin} takes ${event.command || "a row by itself"}`
      );
    }
  }
  carriedOver(protocol, place, event, row, watch);
  if (row.verdict) selfVerdict(run, protocol, place, event.by, row.by, `takes ${event.command}`, watch);
}
function carriedOver(protocol, place, event, row, watch) {
  if (!row.verdict && !protocol.states[event.to]?.success) return;
  for (const kind of readsOf(row.requires).kinds) {
    if (!place.carried.includes(kind)) continue;
    const what = `${event.command || "a row by itself"} leans on a ${kind} from before the work was handed in again`;
    watch.found("carried-over", what);
  }
}
function selfVerdict(run, protocol, { item }, by, roles2, does, watch) {
  const builders = (item.marks.builder ?? []).map((id) => actorOf(run.world, id));
  const giver = run.world.roster.find((a) => a.id === by);
  if (giver === void 0 || builders.length === 0) return;
  if (giver.kind === "human" || !builders.some((b) => related(b, giver))) return;
  const outside = run.roster.actors.some(
    (a) => a.kind === "agent" && mayTake(protocol, roles2, item.state, { actor: a, proof: void 0 }) && !builders.some((b) => related(a, b))
  );
  if (outside) watch.found("self-verdict", `in ${item.state} the builder's own lineage ${does}`);
}
function onSuccess(run, protocol, place, watch) {
  if (place.overridden) return;
  const { state } = place.item;
  if (!judgedEnough(protocol, place, run.world)) {
    watch.found(
      "verdict",
      `${protocol.name} reaches ${state} without an independent enough verdict on what it is now`
    );
  }
  for (const verdict of judgeStanding(protocol, protocol.promises, place.item, run.world)) {
    if (!opens(verdict)) watch.found("promise", `${protocol.name} reaches ${state}, but ${verdict.because}`);
  }
}

// ../main/src/kernel/check/transact.ts
var MOST_ROUNDS = 200;
function transact(run, before, id, events, watch) {
  const places = { ...before };
  const queue = [{ id, events }];
  for (let round = 0; ; round++) {
    const next = queue.shift();
    if (next === void 0) return places;
    if (round > MOST_ROUNDS) {
      watch.found("settle-loop", `the policies of ${run.setup.name} never come to rest`);
      return places;
    }
    const told = tellAndSettle(run, places, next, watch);
    for (const moved3 of told) queue.push(...echoes(run, places, next.id, moved3));
  }
}
function tellAndSettle(run, places, {
  id,
  events,
  send = ""
}, watch) {
  const protocol = run.setup.streams[id]?.protocol;
  const start = places[id];
  if (protocol === void 0 || start === void 0) return [];
  const moves = [];
  let place = start;
  const take = (event) => {
    place = observed(run, protocol, place, event, watch);
    if (event.type === "moved") moves.push(event);
  };
  events.forEach(take);
  if (send !== "") {
    const decision = decide(protocol, place.item, commandOf(send), run.world);
    if (decision.kind === "accepted") decision.events.forEach(take);
    else
      watch.found("policy", `${protocol.name} refuses ${send} in ${place.item.state}: ${decision.because}`);
  }
  const settled2 = settle(protocol, place.item, run.world, "");
  if (settled2.loop)
    watch.found("settle-loop", `${protocol.name} never comes to rest around ${place.item.state}`);
  else settled2.events.forEach(take);
  places[id] = place;
  return moves;
}
var commandOf = (name) => ({
  id: "",
  name,
  actor: POLICY,
  at: "",
  reason: "",
  arguments: {},
  proof: void 0
});
function echoes(run, places, id, moved3) {
  const protocol = run.setup.streams[id]?.protocol;
  const place = places[id];
  if (protocol === void 0 || place === void 0) return [];
  const fitting = protocol.policies.filter((policy) => fits(policy, moved3));
  return fitting.flatMap(
    (policy) => (run.setup.links[id]?.[policy.tell] ?? []).map((target) => {
      carryPasses(places, place, target, policy);
      const events = policy.note === "" ? [] : [noteOf(protocol, place, id, moved3, policy)];
      return { id: target, events, send: policy.send };
    })
  );
}
function fits(policy, { to, command }) {
  return policy.enters.includes("*") || policy.enters.includes(to) || policy.commands.includes(command);
}
function noteOf(protocol, { item }, id, { to }, policy) {
  return {
    type: "noted",
    at: "",
    by: "policy",
    group: policy.note,
    member: id,
    state: to,
    category: protocol.states[to]?.category ?? "",
    asked: policy.asks === "" ? "" : item.subjects[policy.asks]?.digest ?? "",
    marks: Object.fromEntries(policy.carry.map((mark) => [mark, item.marks[mark] ?? []])),
    moves: policy.moves
  };
}
function carryPasses(places, from, target, policy) {
  const place = places[target];
  const carried = from.passes.filter((pass) => pass.as !== "" && policy.carry.includes(pass.as));
  if (place === void 0 || carried.length === 0 || policy.moves.length > 0) return;
  const on = presentValues(place.item);
  const passes = carried.reduce((all, pass) => withPass(all, { ...pass, on }), place.passes);
  places[target] = { ...place, passes };
}

// ../main/src/kernel/record.ts
function record(protocol, item, command, finding, world) {
  const rows = protocol.evidence.map((row, index) => ({ row, index })).filter(({ row }) => row.kind === finding.kind);
  if (rows.length === 0)
    return refuse2("unknown-command", `the protocol ${protocol.name} knows no ${finding.kind}`);
  const here = rows.filter(({ row }) => expand(protocol, row.in).includes(item.state));
  if (here.length === 0)
    return refuse2("no-transition", `${an(finding.kind)} cannot be given while the item is ${stateOf(item)}`);
  const fitting = here.filter(({ row }) => row.outcomes.includes(finding.outcome));
  if (fitting.length === 0) {
    const legal = here.flatMap(({ row }) => row.outcomes).join(" or ");
    return refuse2("bad-arguments", `${an(finding.kind)} says ${legal}, not ${finding.outcome}`);
  }
  const allowed = fitting.filter(({ row }) => mayTake(protocol, row.by, item.state, command));
  if (allowed.length === 0) {
    const roles2 = [...new Set(fitting.flatMap(({ row }) => rolesOf(protocol, row.by, item.state)))];
    return refuse2("wrong-role", `Only ${roles2.join(" or ")} may give ${an(finding.kind)}`);
  }
  const context = { counters: protocol.counters, item, command, world, gathered: NOTHING_GATHERED };
  const level2 = levelOf(item, finding, command, world);
  const judged2 = allowed.map((entry) => ({
    ...entry,
    verdicts: [
      ...entry.row.requires.map((guard) => judge(guard, context)),
      ...notTwice(entry.row, item, command.actor.id, level2)
    ]
  }));
  const open = judged2.find(({ verdicts }) => verdicts.every(opens));
  if (open === void 0) {
    const closed = judged2.flatMap(({ verdicts }) => verdicts.filter((v) => !opens(v)));
    return { ...refuse2("gate-closed", `this ${finding.kind} cannot be recorded`), verdicts: closed };
  }
  const event = eventOf(open, command, finding, level2);
  return { kind: "accepted", events: [event], verdicts: open.verdicts };
}
function eventOf({ row, index }, command, finding, level2) {
  return {
    type: "recorded",
    at: command.at,
    by: command.actor.id,
    row: index,
    kind: row.kind,
    outcome: finding.outcome,
    requestedBy: finding.asker.id,
    independence: level2,
    facts: finding.facts,
    proof: command.proof?.id ?? ""
  };
}
function levelOf(item, { asker }, command, world) {
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  return independence(asker, builders, command.proof !== void 0);
}
function notTwice(row, item, by, level2) {
  if (!row.once) return [];
  const minimum = demandedLevel(item.settings.independence);
  const bars = (e) => atLeast(e.independence, minimum) || atLeast(e.independence, level2);
  const earlier = freshEvidence(item, row.kind).filter((e) => (!row.each || e.by === by) && bars(e));
  if (earlier.length === 0) return [];
  const because = `there is already a ${row.kind} on this ${row.on}, saying ${earlier.at(-1)?.outcome}`;
  return [unsatisfied("once", because, `only a changed ${row.on} can be judged again`)];
}
var stateOf = ({ state }) => state.replaceAll("_", " ");
function refuse2(code, because) {
  return { kind: "refused", code, because, verdicts: [] };
}

// ../main/src/kernel/check/hands.ts
var PROOF = { id: "proof", digest: "", purpose: "", at: "", channel: "" };
function handsOn(run, id) {
  return run.roster.actors.filter((actor) => mayActOn(run.setup, id, actor, run.roster.actors)).flatMap(
    (actor) => actor.kind === "human" ? [
      { actor, proof: PROOF },
      { actor, proof: void 0 }
    ] : [{ actor, proof: void 0 }]
  );
}
var prefix = (run, id) => id === run.setup.main ? "" : `${id}.`;

// ../main/src/kernel/check/evidence-ways.ts
function evidenceWays(run, id, protocol, item, hands) {
  const here = protocol.evidence.filter((row) => expand(protocol, row.in).includes(item.state));
  const kinds = new Map(
    here.flatMap((row) => row.outcomes.map((o) => [`${row.kind}=${o}`, [row.kind, o]]))
  );
  const askers = askersOf(run, protocol, item, hands);
  return hands.flatMap(
    (hand) => [...kinds.values()].flatMap(([kind, outcome]) => {
      const engine = hand.actor.kind === "system";
      return (engine ? askers : [hand]).flatMap(({ actor: asker, proof }) => {
        const command = {
          id: "",
          name: kind,
          at: "",
          reason: "",
          arguments: {},
          actor: hand.actor,
          proof
        };
        const decision = record(protocol, item, command, { kind, outcome, facts: {}, asker }, run.world);
        if (decision.kind === "refused") return [];
        const asked = engine && asker.kind !== "system" ? ` (asked by ${asker.id})` : "";
        const label = `${hand.actor.id}: ${prefix(run, id)}${kind}=${outcome}${asked}`;
        return [{ events: decision.events, by: engine ? asker.kind : hand.actor.kind, label }];
      });
    })
  );
}
function askersOf(run, protocol, item, hands) {
  const rows = protocol.rows.filter((row) => expand(protocol, row.from).includes(item.state));
  const may = hands.filter(
    ({ actor, proof }) => rows.some((row) => mayTake(protocol, row.by, item.state, { actor, proof }))
  );
  const builders = (item.marks.builder ?? []).map((b) => actorOf(run.world, b));
  const far = (hand) => independence(hand.actor, builders, hand.proof !== void 0);
  const tone = (hand) => `${far(hand)} ${hand.actor.kind}`;
  const kinds = may.filter((hand, n) => may.findIndex((other) => tone(other) === tone(hand)) === n);
  return kinds.length > 0 ? kinds : [{ actor: ENGINE, proof: void 0 }];
}

// ../main/src/kernel/check/outside.ts
var YES = { status: "satisfied", because: "looked", fix: "" };
var NO = { status: "unsatisfied", because: "looked", fix: "" };
function answersTo(run, id, item, rows) {
  const asked = rows.map(questionsOf);
  const probes = [...new Set(asked.flatMap((reads) => reads.probes))];
  const groups = [...new Set(asked.flatMap((reads) => reads.groups))];
  if (probes.length + groups.length === 0) return [{ world: run.world, probes: {} }];
  const guards = rows.flatMap((row) => row.requires);
  const yes = Object.fromEntries(probes.map((name) => [name, YES]));
  const looks = [yes, ...probes.map((name) => ({ ...yes, [name]: NO }))];
  const open = groups.filter((group) => !(run.fed[id] ?? []).includes(group));
  const casts = open.reduce(
    (all, group) => all.flatMap((cast) => castsOf(guards, group, item).map((m) => ({ ...cast, [group]: m }))),
    [{}]
  );
  return casts.flatMap(
    (cast) => looks.map((found) => ({ world: { ...run.world, groups: cast }, probes: found }))
  );
}
var QUESTIONS = /* @__PURE__ */ new WeakMap();
function questionsOf(row) {
  const reads = QUESTIONS.get(row) ?? readsOf(row.requires);
  QUESTIONS.set(row, reads);
  return reads;
}
function castsOf(guards, group, item) {
  const asked = leavesOf(guards).flatMap(
    (leaf) => leaf.guard === "members" && leaf.group === group ? [leaf] : []
  );
  const size = Math.max(1, ...asked.map((leaf) => leaf.atLeast));
  const on = asked.find((leaf) => leaf.on !== "")?.on ?? "";
  const digest = item.subjects[on]?.digest ?? "";
  const cast = (member) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`${group}-${n + 1}`, member]));
  const firsts = [...new Set(asked.map((leaf) => leaf.in[0] ?? ""))];
  const named = firsts.map(
    (name) => name.startsWith("=") ? { state: "elsewhere", category: name.slice(1), asked: digest } : { state: name, category: "", asked: digest }
  );
  return [{}, ...named.map(cast), cast({ state: "elsewhere", category: "", asked: digest })];
}
function newDigests(id, item) {
  return Object.fromEntries(
    Object.entries(item.subjects).map(([name, s]) => [name, `${id}.${name}.${s.generation + 1}`])
  );
}
function subjectMoved(id, item, subject, by) {
  return { type: "subject-moved", at: "", by, subject, digest: newDigests(id, item)[subject] ?? "" };
}

// ../main/src/kernel/check/ways.ts
function waysOf(run, id, item) {
  const protocol = run.setup.streams[id]?.protocol;
  if (protocol === void 0) return { open: [], closed: [] };
  const hands = [...handsOn(run, id), { actor: ENGINE, proof: void 0 }];
  const names2 = new Set(
    protocol.rows.filter((row) => row.command !== "" && expand(protocol, row.from).includes(item.state)).map((row) => row.command)
  );
  const tried = [...names2].flatMap(
    (name) => hands.map((hand) => commandWays(run, id, protocol, item, name, hand))
  );
  const open = [
    ...tried.flatMap((ways) => ways.open),
    ...evidenceWays(run, id, protocol, item, hands),
    ...subjectWays(run, id, protocol, item),
    ...settleWays(run, id, protocol, item)
  ];
  return { open, closed: [...new Set(tried.flatMap((ways) => ways.closed))] };
}
function commandWays(run, id, protocol, item, name, { actor, proof }) {
  const rows = rowsFor(protocol, item, name).map(({ row }) => row).filter((row) => mayTake(protocol, row.by, item.state, { actor, proof }));
  if (rows.length === 0) return { open: [], closed: [] };
  const answers = answersTo(run, id, item, rows);
  const open = argumentsFor(run, protocol, rows, item).flatMap((given) => {
    const command = { id: "", name, actor, at: "", reason: "said", arguments: given, proof };
    const values = Object.values(given).join(", ");
    const label = `${actor.id}: ${prefix(run, id)}${name}${values === "" ? "" : `(${values})`}`;
    const decided = outcomesOf2(id, protocol, item, command, rows.length, answers);
    return decided.map((events) => ({ events, by: actor.kind, label }));
  });
  return { open, closed: open.length === 0 ? [name] : [] };
}
function outcomesOf2(id, protocol, item, command, most, answers) {
  const taken = /* @__PURE__ */ new Map();
  for (const { world, probes } of answers) {
    const decision = decide(protocol, item, command, world, {
      probes,
      subjects: newDigests(id, item),
      facts: {}
    });
    if (decision.kind === "accepted") taken.set(decision.events.at(-1)?.row ?? -1, decision.events);
    if (taken.size === most) break;
  }
  return [...taken.values()];
}
function argumentsFor(run, protocol, rows, item) {
  const actors = run.roster.actors.filter((a) => a.roles.length > 0).map((a) => a.id);
  const choices = rows.flatMap((row) => {
    const targets = targetsOf(protocol, row, item);
    const takes = row.takes.filter((name) => name !== "reason");
    const names2 = [...takes, ...targets.length > 1 ? ["to"] : []];
    return names2.reduce(
      (all, name) => {
        const values = Object.values(row.names).includes(name) ? actors : name === "to" ? targets : ["something"];
        return all.flatMap((given) => values.map((value) => ({ ...given, [name]: value })));
      },
      [{}]
    );
  });
  return [...new Map(choices.map((given) => [JSON.stringify(given), given])).values()];
}
function subjectWays(run, id, protocol, item) {
  const movable = Object.entries(protocol.subjects).filter(
    ([, s]) => expand(protocol, s.in).includes(item.state)
  );
  return movable.flatMap(
    ([name, { by }]) => handsOn(run, id).filter((hand) => mayTake(protocol, by, item.state, hand)).map(({ actor }) => ({
      events: [subjectMoved(id, item, name, actor.id)],
      by: actor.kind,
      label: `${actor.id}: ${prefix(run, id)}changes the ${name}`
    }))
  );
}
function settleWays(run, id, protocol, item) {
  const rows = rowsFor(protocol, item, "").map(({ row }) => row);
  if (rows.length === 0) return [];
  return answersTo(run, id, item, rows).flatMap(({ world }) => {
    const { events, loop } = settle(protocol, item, world, "");
    if (events.length === 0 || loop) return [];
    return [
      { events, by: "system", label: `outside: ${prefix(run, id)}${events[0]?.from} moves on` }
    ];
  });
}

// ../main/src/kernel/check/explore.ts
function explore(run, choices, cap, findings, reached) {
  const known2 = /* @__PURE__ */ new Map();
  const moments = [];
  const came = [];
  const edges = [];
  const closed = [];
  const starts = [];
  const pathTo = (moment) => {
    const path = [];
    for (let m = came[moment]; m !== void 0 && m.label !== ""; m = came[m.from]) path.unshift(m.label);
    return path;
  };
  const add = (places, from, label) => {
    const key = keyOf(run, places);
    const found = known2.get(key);
    if (found !== void 0) return found;
    known2.set(key, moments.length);
    came.push({ from, label });
    return moments.push(places) - 1;
  };
  const watching = (from, label, places) => ({
    reached,
    found: (property, what) => findings.add(property, what, {
      path: () => label === "" ? pathTo(from) : [...pathTo(from), label],
      roster: nameOf2(run, places)
    })
  });
  for (const choice of choices) {
    const places = opened2(run, choice);
    starts.push(add(settled(run, places, watching(-1, "", places)), -1, ""));
  }
  for (let at = 0; at < moments.length; at++) {
    if (moments.length > cap) return { moments, edges, closed, cut: true, starts, pathTo };
    const places = moments[at] ?? {};
    closed.push([]);
    for (const [id, place] of Object.entries(places)) {
      const ways = waysOf(run, id, place.item);
      closed[at]?.push(...ways.closed);
      for (const { events, by, label } of ways.open) {
        const to = add(transact(run, places, id, events, watching(at, label, places)), at, label);
        if (to !== at) edges.push({ from: at, to, by });
      }
    }
  }
  return { moments, edges, closed, cut: false, starts, pathTo };
}
function settled(run, places, watch) {
  return Object.entries(run.setup.streams).reduce((all, [id, { protocol }]) => {
    watch.reached(protocol, `state ${protocol.initial}`);
    return transact(run, all, id, [], watch);
  }, places);
}

// ../main/src/kernel/check/report.ts
var PROPERTIES = {
  "well-formed": "every name in the table is declared",
  "dead-end": "from everywhere an end can be reached",
  "refusal-without-exit": "wherever a gate is closed, somebody has another way on",
  "unreachable-row": "every row can be taken",
  "unreachable-evidence": "every kind of evidence can be recorded",
  "unreachable-state": "every state can be entered",
  "unused-role": "every role is used by the table and held by somebody",
  verdict: "no success without a verdict that the minimum independence allows",
  "self-verdict": "no verdict by the builder's own lineage while somebody outside could give it",
  "carried-over": "no verdict leans on what was found before the work was handed in again",
  promise: "every promise holds when a success is entered",
  "final-left": "no row leads out of a final state",
  counter: "no counter passes its limit",
  override: "every override is a named command, kept for people or an authority that does not build",
  "settle-loop": "rows without a command come to rest",
  policy: "no command that a policy sends is refused",
  "needs-human": "no state waits for a person alone",
  "no-success": "every cast can reach a success",
  endless: "agents alone cannot go round for ever"
};
var NOTES = ["needs-human", "no-success", "endless"];
function newFindings() {
  const found = /* @__PURE__ */ new Map();
  return {
    add: (property, what, at) => {
      const key = `${property}\0${what}`;
      if (found.has(key)) return;
      const severity = NOTES.includes(property) ? "note" : "error";
      found.set(key, { property, severity, what, path: at?.path() ?? [], roster: at?.roster ?? "" });
    },
    list: () => [...found.values()]
  };
}
function provedBy(findings, cut) {
  if (cut || findings.some((f) => f.property === "well-formed")) return [];
  return Object.keys(PROPERTIES).filter((p) => !findings.some((f) => f.property === p));
}

// ../main/src/kernel/check/roster.ts
var ROSTERS = ["peers", "one-root", "free-for-all", "solo"];
var agent = (id, roles2, ancestors = []) => ({
  id,
  kind: "agent",
  roles: roles2,
  ancestors
});
var PERSON = { id: "human", kind: "human", roles: [], ancestors: [] };
function rosterOf(name, roles2, seats) {
  const seated = seats.map((seat) => agent(seat.id, [seat.role]));
  const others = roles2.filter((role) => !seats.some((seat) => seat.role === role)).map((role) => agent(role, [role]));
  const twins = twinsOf(seats);
  switch (name) {
    case "peers":
      return { name, actors: [...others, ...seated, PERSON], alike: twins };
    case "one-root": {
      const children = [...others, ...seated].map((a) => agent(a.id, a.roles, ["root"]));
      return { name, actors: [agent("root", roles2), ...children, PERSON], alike: twins };
    }
    case "free-for-all": {
      const ids = seats.length > 0 ? seats.map((seat) => seat.id) : ["ann", "ben", "cat"];
      const alike = seats.length > 0 ? twins : [ids];
      return { name, actors: [...ids.map((id) => agent(id, roles2)), PERSON], alike };
    }
    case "solo":
      return { name, actors: [{ ...PERSON, roles: roles2 }], alike: [] };
  }
}
function twinsOf(seats) {
  const roles2 = [...new Set(seats.map((seat) => seat.role))];
  return roles2.map((role) => seats.filter((seat) => seat.role === role).map((seat) => seat.id)).filter((ids) => ids.length > 1);
}

// ../main/src/kernel/check/table-findings.ts
function judgeTable(protocol, findings) {
  finalStates(protocol, findings);
  overrides(protocol, findings);
  roles(protocol, findings);
}
function finalStates(protocol, findings) {
  for (const row of protocol.rows) {
    for (const state of expand(protocol, row.from)) {
      if (!protocol.states[state]?.final) continue;
      const command = row.command || "a row without a command";
      findings.add("final-left", `${command} leads from ${state} to ${row.to}, but ${state} is final`, {
        path: () => [`(table): ${command} from ${state}`],
        roster: ""
      });
    }
  }
}
function overrides(protocol, findings) {
  const working = protocol.rows.filter((row) => row.as === "builder").flatMap((row) => row.by);
  const barred = ["engine", "policy", "@owner", ...working];
  for (const row of protocol.rows.filter((r) => r.override)) {
    const name = row.command || "a row without a command";
    const at = { path: () => [`(table): ${name} from ${row.from.join(", ")}`], roster: "" };
    if (row.command === "") findings.add("override", `an override to ${row.to} has no command`, at);
    const wrong = row.by.filter((role) => role !== "human" && barred.includes(role));
    if (wrong.length > 0)
      findings.add("override", `${name} to ${row.to} is an override that ${wrong.join(", ")} may take`, at);
  }
}
function roles(protocol, findings) {
  const owners = Object.values(protocol.states).map((state) => state.owner);
  const used = /* @__PURE__ */ new Set([
    ...owners,
    ...protocol.openers,
    ...protocol.rows.flatMap((row) => row.by),
    ...protocol.evidence.flatMap((row) => row.by),
    ...Object.values(protocol.subjects).flatMap((subject) => subject.by)
  ]);
  for (const role of protocol.roles) {
    if (!used.has(role)) findings.add("unused-role", `nothing in ${protocol.name} is done by ${role}`);
  }
}
function judgeReach(protocol, reached, findings) {
  protocol.rows.forEach((row, n) => {
    if (reached.has(`row ${n}`)) return;
    findings.add(
      "unreachable-row",
      `${row.from.join(", ")} ${row.command || "(by itself)"} ${row.to} is never taken`
    );
  });
  protocol.evidence.forEach((row, n) => {
    if (!reached.has(`evidence ${n}`)) {
      findings.add("unreachable-evidence", `${row.kind} by ${row.by.join(", ")} is never recorded`);
    }
  });
  for (const state of Object.keys(protocol.states)) {
    if (!reached.has(`state ${state}`)) findings.add("unreachable-state", `${state} is never entered`);
  }
}

// ../main/src/kernel/check/check.ts
var DEFAULTS = { cap: 4e5, rosters: ROSTERS };
function checkProtocol(subject, options = {}) {
  const { cap, rosters } = { ...DEFAULTS, ...options };
  const setup2 = isSetup(subject) ? subject : alone(subject);
  const findings = newFindings();
  const carried = protocolsOf(setup2).flatMap((p) => p.policies.flatMap((policy) => policy.carry));
  for (const protocol of protocolsOf(setup2)) {
    for (const problem of problemsOf(protocol, carried))
      findings.add("well-formed", `${protocol.name}: ${problem}`);
  }
  if (findings.list().length > 0)
    return reportOf(setup2, rosters, findings, { states: 0, edges: 0, cut: false });
  for (const protocol of protocolsOf(setup2)) judgeTable(protocol, findings);
  return reportOf(setup2, rosters, findings, exploreAll(setup2, cap, rosters, findings));
}
function exploreAll(setup2, cap, rosters, findings) {
  const reached = /* @__PURE__ */ new Map();
  const reach = (protocol, thing) => {
    const set = reached.get(protocol.name) ?? /* @__PURE__ */ new Set();
    reached.set(protocol.name, set.add(thing));
  };
  const extent = { states: 0, edges: 0, cut: false };
  const choices = choicesOf(setup2);
  const tables = Object.fromEntries(
    Object.entries(setup2.streams).map(([id, { protocol }]) => [id, tableOf(protocol)])
  );
  for (const name of rosters) {
    const run = newRun(setup2, rosterOf(name, rolesIn(setup2), seatsOf(setup2)), tables);
    const graph = explore(run, choices, cap - extent.states, findings, reach);
    extent.states += graph.moments.length;
    extent.edges += graph.edges.length;
    extent.cut ||= graph.cut;
    if (graph.cut) break;
    judgeEnds(run, graph, findings);
  }
  if (!extent.cut) {
    for (const protocol of protocolsOf(setup2))
      judgeReach(protocol, reached.get(protocol.name) ?? /* @__PURE__ */ new Set(), findings);
  }
  return extent;
}
function choicesOf(setup2) {
  return protocolsOf(setup2).reduce(
    (all, protocol) => {
      const ids = Object.entries(setup2.streams).filter(([, s]) => s.protocol.name === protocol.name);
      const fed = ids.flatMap(([id]) => fedGroups(setup2, id));
      return all.flatMap(
        (choice) => settingsOf(protocol, fed).map((s) => ({ ...choice, [protocol.name]: s }))
      );
    },
    [{}]
  );
}
function reportOf(setup2, rosters, findings, extent) {
  const list = findings.list();
  return { name: setup2.name, ...extent, rosters, findings: list, proved: provedBy(list, extent.cut) };
}

// ../main/src/kernel/define-protocol.ts
var many = (value) => Array.isArray(value) ? value : [value];
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
      stateOf2
    ),
    subjects: mapValues(spec.subjects ?? {}, (s) => ({ in: [], by: [], ...s })),
    rows: spec.rows.map(rowOf),
    evidence: (spec.evidence ?? []).map(evidenceOf2),
    forbidden: (spec.forbidden ?? []).map((f) => ({ instead: "", ...f, from: many(f.from) })),
    policies: (spec.policies ?? []).map(policyOf)
  };
}
var stateOf2 = (state) => ({
  meaning: "",
  owner: "",
  final: false,
  success: false,
  allowance: 0,
  ...state
});
var rowOf = (row) => ({
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
var evidenceOf2 = (row) => ({
  requires: [],
  as: "",
  verdict: "",
  each: false,
  once: false,
  ...row,
  in: many(row.in),
  by: many(row.by)
});
var policyOf = (policy) => ({
  enters: [],
  commands: [],
  note: "",
  carry: [],
  moves: [],
  asks: "",
  send: "",
  ...policy
});
function mapValues(record2, f) {
  return Object.fromEntries(Object.entries(record2).map(([key, value]) => [key, f(value)]));
}

// ../main/src/protocols/voices.ts
var VOICE = ["approve", "reject"];
function gateEvidence({
  in: state,
  on,
  reviewers,
  signers,
  owners
}) {
  const outside = { in: state, on, requires: [apart("builder")], each: true };
  const person = { by: "human", in: state, on, each: true };
  return [
    { kind: "proof-pack", outcomes: ["PASSED", "BLOCKED"], by: "engine", in: state, on, once: true },
    { kind: "inconclusive", outcomes: ["INDETERMINATE"], by: "engine", in: state, on },
    { kind: "sign-off", outcomes: VOICE, by: signers, ...outside },
    { kind: "sign-off", outcomes: VOICE, ...person },
    { kind: "review", outcomes: VOICE, by: reviewers, ...outside },
    { kind: "review", outcomes: VOICE, ...person },
    { kind: "approval", outcomes: VOICE, ...person },
    { kind: "waiver", outcomes: ["waived"], by: owners, ...outside },
    { kind: "waiver", outcomes: ["waived"], ...person }
  ];
}

// ../main/src/protocols/goal.ts
var started = members("tasks", ["in_progress", "review", "completed", "verified"], "some");
var done = members("tasks", ["verified", "abandoned"], "all", 1);
var someVerified = members("tasks", ["verified"], "some");
var lead = ["lead", "human"];
var goal = defineProtocol({
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
  subjects: { product: {} },
  settings: { independence: ["automated", "sibling", "other-lineage", "human"] },
  groups: ["tasks"],
  probes: ["linkable", "integrated"],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: "open", command: "", to: "active", by: "engine", requires: [started] },
    { from: "active", command: "", to: "pending_verify", by: "engine", requires: [done, someVerified, absent("rejection")] },
    { from: "pending_verify", command: "", to: "active", by: "engine", requires: [not(done)] },
    { from: "verified", command: "", to: "active", by: "engine", requires: [not(done)], moves: ["product"], records: ["regression:open:product"] },
    { from: "*open", command: "link", to: "@same", by: lead, requires: [probe("linkable")], takes: ["task"] },
    { from: "*open", command: "unlink", to: "@same", by: lead, requires: [probe("linkable")], takes: ["task", "reason"] },
    { from: "pending_verify", command: "integrate", to: "@same", by: lead, requires: [apart("builder", "identity"), probe("integrated")], takes: ["notes"], moves: ["product"] },
    { from: "pending_verify", command: "verify-goal", to: "verified", by: lead, requires: [apart("builder", "identity"), evidence("proof-pack", "PASSED"), independent("proof-pack")], as: "verifier", verdict: true },
    { from: "pending_verify", command: "reject-goal", to: "active", by: lead, takes: ["reason"], records: ["rejection:open:product"] },
    { from: "*open", command: "cancel", to: "cancelled", by: lead, takes: ["reason"] }
  ],
  evidence: gateEvidence({
    in: "pending_verify",
    on: "product",
    reviewers: ["lead"],
    signers: ["lead"],
    owners: ["lead"]
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

// ../main/src/protocols/goal-task.ts
var PAIRS = ["builder-reviewer", "builder-tester", "reviewer-tester"];
var RELAXED = ["reviewer-tester"];
var escalated = evidence("escalation", "open");
var dependenciesDone = members("dependencies", ["=CONFIRMED", "=CLOSED"], "all");
var work = [probe("claimed-work"), probe("evidence-files"), probe("evidence-types"), probe("helpers-fit")];
var mine = same("assignee");
var byTheChecker = when(evidence("checker", "named"), same("checker"));
var passed = [evidence("proof-pack", "PASSED"), independent("proof-pack")];
var fits2 = probe("assignee-fits");
var large = agents(3);
var strict = [large, apart("builder"), apart("reviewer", "identity"), hats("tester", PAIRS), byTheChecker];
var relaxed = [not(large), apart("builder"), hats("tester", PAIRS, RELAXED), byTheChecker];
var triaged = { counts: ["0rejections"], records: ["escalation:triaged:item"] };
var goalTask = defineProtocol({
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
  probes: ["assignee-fits", "checker-fits", "helpers-fit", "claimed-work", "evidence-files", "evidence-types"],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: "pending", command: "assign", to: "assigned", by: ["lead", "human"], requires: [fits2], takes: ["to"], names: { assignee: "to" }, as: "lead" },
    { from: ["assigned", "in_progress"], command: "assign", to: "@same", by: ["lead", "human"], requires: [not(escalated), fits2], takes: ["to"], forgets: ["assignee"], names: { assignee: "to" }, as: "lead" },
    { from: "assigned", command: "start", to: "in_progress", by: "builder", requires: [mine, dependenciesDone], as: "builder" },
    { from: "in_progress", command: "submit", to: "review", by: ["builder", "lead"], requires: [mine, not(escalated), ...work], takes: ["summary", "helpers"], names: { builder: "helpers", helper: "helpers" }, as: "builder", moves: ["commit"] },
    { from: "in_progress", command: "submit", to: "review", by: ["builder", "lead"], requires: [mine, not(escalated), ...work], takes: ["summary"], as: "builder", moves: ["commit"] },
    { from: "review", command: "approve", to: "completed", by: ["reviewer", "lead", "human"], requires: [apart("builder"), hats("reviewer", PAIRS)], as: "reviewer" },
    { from: "review", command: "reject", to: "in_progress", by: ["reviewer", "lead", "human"], requires: [apart("builder")], takes: ["reason"] },
    { from: "completed", command: "verify", to: "verified", by: "verifier", requires: [...strict, ...passed], as: "tester", verdict: true },
    { from: "completed", command: "verify", to: "verified", by: ["verifier", "lead"], requires: [...relaxed, ...passed], as: "tester", verdict: true, records: ["relaxed:yes:commit"] },
    { from: "completed", command: "verify", to: "verified", by: "human", requires: [apart("builder", "identity"), ...passed], as: "tester", verdict: true },
    { from: "completed", command: "reject-verification", to: "in_progress", by: ["verifier", "lead", "human"], requires: [apart("builder"), byTheChecker, reaches("rejections", 2)], counts: ["+rejections"], records: ["escalation:open:item"], forgets: ["reviewer"], takes: ["reason"] },
    { from: "completed", command: "reject-verification", to: "in_progress", by: ["verifier", "lead", "human"], requires: [apart("builder"), byTheChecker], counts: ["+rejections"], forgets: ["reviewer"], takes: ["reason"] },
    { from: "in_progress", command: "reassign-builder", to: "@same", by: ["lead", "human"], requires: [escalated, fits2], takes: ["to", "reason"], forgets: ["assignee"], names: { assignee: "to" }, as: "lead", ...triaged },
    { from: "in_progress", command: "reassign-checker", to: "@same", by: ["lead", "human"], requires: [escalated, probe("checker-fits")], takes: ["to", "reason"], forgets: ["checker"], names: { checker: "to" }, as: "lead", counts: ["0rejections"], records: ["escalation:triaged:item", "checker:named:item"] },
    { from: "in_progress", command: "intervene", to: "@same", by: "lead", requires: [escalated], takes: ["reason"], forgets: ["assignee"], as: "assignee", ...triaged },
    { from: "verified", command: "reopen", to: "in_progress", by: ["lead", "human"], requires: [fits2], takes: ["reason", "to"], forgets: ["assignee", "reviewer", "tester"], names: { assignee: "to" }, moves: ["commit"], counts: ["0rejections"] },
    { from: "verified", command: "reopen", to: "in_progress", by: ["lead", "human"], requires: [fits2], takes: ["reason"], forgets: ["reviewer", "tester"], moves: ["commit"], counts: ["0rejections"] },
    { from: "*open", command: "abandon", to: "abandoned", by: ["lead", "human"], takes: ["reason"] }
  ],
  evidence: gateEvidence({
    in: "completed",
    on: "commit",
    reviewers: ["verifier", "reviewer"],
    signers: ["verifier", "reviewer", "lead"],
    owners: ["verifier", "reviewer", "lead"]
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
    { enters: ["verified"], tell: "goal", note: "tasks", carry: ["builder"], moves: ["product"] },
    { enters: ["pending", "assigned", "in_progress", "review", "completed", "abandoned"], tell: "goal", note: "tasks", carry: ["builder"] }
  ],
  promises: [evidence("proof-pack", "PASSED")]
});

// ../../tmp/chk4.ts
var setup = { name: "goals", main: "goal", streams: { goal: { protocol: goal, seat: "" }, t1: { protocol: goalTask, seat: "" } }, links: { t1: { goal: ["goal"] } }, alike: [] };
for (const [n, s] of [["task", goalTask], ["goal", goal], ["setup1", setup]]) for (const ros of [["peers"], ["one-root"], ["free-for-all"], ["solo"]]) {
  const t = Date.now();
  const r = checkProtocol(s, { cap: 6e4, rosters: ros });
  console.log(n, ros, r.states, r.edges, r.cut, Date.now() - t, "ms");
  for (const f of r.findings.filter((f2) => f2.severity !== "note").slice(0, 6)) console.log("  ", f.severity, f.property, f.what, "\n      ", f.path.slice(-12).join(" > "));
}
