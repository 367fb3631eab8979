import { related } from '../actor.ts';
import { type Context, marked } from '../context.ts';
import { judged, type Verdict } from '../verdict.ts';

/** The actor is none of those marked (identity), nor of their pair of eyes (lineage). Nobody marked closes. */
export interface Apart {
  readonly guard: 'apart';
  readonly from: string;
  readonly bond: 'identity' | 'lineage';
}

export const apart = (from: string, bond: Apart['bond'] = 'lineage'): Apart => ({
  guard: 'apart',
  from,
  bond,
});

export function checkApart({ guard, from, bond }: Apart, context: Context): Verdict {
  const { actor } = context.command;
  const others = marked(context, from);
  if (others.length === 0) return judged(guard, false, `nobody is recorded as ${from}`, '');
  const close = others.filter((o) => (bond === 'identity' ? o.id === actor.id : related(o, actor)));
  const because =
    close.length === 0
      ? `${actor.id} is apart from every ${from}`
      : `${actor.id} ${close.some((o) => o.id === actor.id) ? `is the ${from}` : `belongs to the lineage of the ${from}`}`;
  return judged(guard, close.length === 0, because, `let an actor outside the lineage of the ${from} do it`);
}
