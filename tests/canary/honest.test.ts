import { describe, expect, it } from 'vitest';
import { projects } from './projects.ts';
import { type Project, sourceOf, tried } from './trial.ts';

describe.each(Object.entries<Project>(projects))('honest work in %s', (_, project) => {
  it.each([false, true])('has its canaries failed and all else as it is, at the top: %s', async (top) => {
    const { problem, own, planted, unseen } = await tried(project, sourceOf(project), top);
    expect(problem).toBeUndefined();
    expect(own).toEqual(project.own);
    expect(unseen).toEqual([]);
    expect(planted.canaries.length).toBeGreaterThan(0);
  });
});
