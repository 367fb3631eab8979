import type { Pixels } from './image-file.ts';

/** So much of a picture has to differ from its most frequent colour. */
const share = 0.001;

/** Why a picture counts as blank; undefined when it does not. */
export function blankness(pixels: Pixels, minColours: number): string | undefined {
  const seen = new Set<number>();
  for (let i = 0; i < pixels.count && seen.size < minColours; i++) seen.add(pixels.at(i));
  if (seen.size < minColours) return `has ${seen.size} colours, at least ${minColours} are required`;
  const rest = pixels.count - mostFrequent(pixels);
  return rest < pixels.count * share ? `is blank but for ${rest} of ${pixels.count} pixels` : undefined;
}

/** How often the colour occurs that more than half of the pixels have (Boyer and Moore); 0 when there is none. */
function mostFrequent(pixels: Pixels): number {
  let [candidate, lead] = [0, 0];
  for (let i = 0; i < pixels.count; i++) {
    const colour = pixels.at(i);
    if (lead === 0) candidate = colour;
    lead += colour === candidate ? 1 : -1;
  }
  let count = 0;
  for (let i = 0; i < pixels.count; i++) if (pixels.at(i) === candidate) count++;
  return count > pixels.count / 2 ? count : 0;
}
