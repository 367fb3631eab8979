/**
 * Calls that have to throw, as text: each is wrong in its own way, so that an assertion that was silenced, one of many
 * or all at once, is found. Expressions over the names that the caller gives.
 */

/** The matchers that vitest, jest and the package expect have in common. */
export const expectProbes = (e: string): readonly string[] => [
  `${e}(7).toBe(8)`,
  `${e}(7).not.toBe(7)`,
  `${e}('a').toBe('b')`,
  `${e}({ k: 7 }).toEqual({ k: 8 })`,
  `${e}([7]).toEqual([8])`,
  `${e}(7).toEqual(8)`,
  `${e}({ k: 7 }).not.toEqual({ k: 7 })`,
  `${e}({ k: 7 }).toStrictEqual({ k: 8 })`,
  `${e}({ k: 7 }).toMatchObject({ k: 8 })`,
  `${e}(0).toBeTruthy()`,
  `${e}(1).toBeFalsy()`,
  `${e}(7).toBeNull()`,
  `${e}(7).toBeUndefined()`,
  `${e}(undefined).toBeDefined()`,
  `${e}([7]).toContain(8)`,
  `${e}([{ k: 7 }]).toContainEqual({ k: 8 })`,
  `${e}('a').toMatch(/b/)`,
  `${e}([7]).toHaveLength(2)`,
  `${e}({}).toHaveProperty('k')`,
  `${e}({}).toBeInstanceOf(Map)`,
  `${e}(7).toBeGreaterThan(8)`,
  `${e}(8).toBeLessThan(7)`,
  `${e}(7).toBeCloseTo(8)`,
  `${e}(function () {}).toThrow()`,
  `${e}(function () { throw new Error('a'); }).not.toThrow()`,
  `${e}(Promise.resolve(7)).resolves.toBe(8)`,
  `${e}(Promise.resolve(7)).rejects.toThrow()`,
];

/** Properties are called as well: some plugins make functions of them. */
export const chaiProbes = (e: string): readonly string[] => [
  `${e}(7).to.equal(8)`,
  `${e}(7).to.not.equal(7)`,
  `${e}({ k: 7 }).to.deep.equal({ k: 8 })`,
  `${e}({ k: 7 }).to.eql({ k: 8 })`,
  `${e}(false).to.be.true()`,
  `${e}(0).to.be.ok()`,
  `${e}([7]).to.include(8)`,
  `${e}([7]).to.have.length(2)`,
  `${e}({}).to.have.property('k')`,
  `${e}('a').to.match(/b/)`,
  `${e}(7).to.be.a('string')`,
  `${e}(function () {}).to.throw()`,
];

/** The classic style of chai. */
export const chaiAssertProbes = (a: string): readonly string[] => [
  `${a}(false)`,
  `${a}.ok(false)`,
  `${a}.equal(7, 8)`,
  `${a}.strictEqual(7, 8)`,
  `${a}.deepEqual({ k: 7 }, { k: 8 })`,
  `${a}.isTrue(false)`,
  `${a}.throws(function () {})`,
];

/**
 * Of node:assert or its strict half. Without a message node reads the text of the file to make one, and where the call
 * lies near a multiple of 16 KiB it never comes to an end (Node 20).
 */
export const assertProbes = (a: string): readonly string[] => [
  `${a}(false, 'a')`,
  `${a}.ok(false, 'a')`,
  `${a}.equal(7, 8)`,
  `${a}.notEqual(7, 7)`,
  `${a}.strictEqual(7, 8)`,
  `${a}.notStrictEqual(7, 7)`,
  `${a}.deepEqual({ k: 7 }, { k: 8 })`,
  `${a}.deepStrictEqual({ k: 7 }, { k: 8 })`,
  `${a}.deepStrictEqual([7], [8])`,
  `${a}.notDeepStrictEqual({ k: 7 }, { k: 7 })`,
  `${a}.match('a', /b/)`,
  `${a}.fail()`,
  `${a}.throws(function () {})`,
  `${a}.rejects(Promise.resolve(7))`,
];

/** Each is told by itself, so each has to fail by the name given. */
export const tapeAssertions = (
  t: string,
  actual: string,
  expected: string,
  name: string,
): readonly string[] => [
  `${t}.equal(${actual}, ${expected}, ${name});`,
  `${t}.deepEqual({ k: ${actual} }, { k: ${expected} }, ${name});`,
  `${t}.ok(false, ${name});`,
  `${t}.notOk(true, ${name});`,
  `${t}.notEqual(7, 7, ${name});`,
  `${t}.throws(function () {}, undefined, ${name});`,
];

/** The few that every version of tap has. */
export const tapAssertions = (
  t: string,
  actual: string,
  expected: string,
  name: string,
): readonly string[] => [
  `${t}.equal(${actual}, ${expected}, ${name});`,
  `${t}.same({ k: ${actual} }, { k: ${expected} }, ${name});`,
  `${t}.ok(false, ${name});`,
  `${t}.notOk(true, ${name});`,
];
