import { checkProtocol } from '../src/kernel/check/check.ts';
import { BUILT_IN } from '../src/protocols/index.ts';
import { setupOf } from '../src/protocols/setups.ts';
import { type Figure, figure, type MeasureOptions } from './figure.ts';

const CAP = 2_000_000;

/**
 * Everything that can happen under each protocol that ships, for every cast and every choice of settings: the states
 * that were looked at, the moves between them, and the promises that were found broken. A search that was cut counts as
 * broken.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  return Object.values(BUILT_IN).flatMap((protocol) => {
    const { states, edges, findings, cut } = checkProtocol(setupOf(protocol), { cap: CAP });
    const broken = findings.filter(({ severity }) => severity === 'error').length + (cut ? 1 : 0);
    const name = `protocols, ${protocol.name}`;
    return [
      figure({ figure: name, n: edges, value: states, unit: 'states' }, options),
      figure(
        { figure: `${name}, broken`, n: edges, value: broken, unit: 'promises', goal: 'value = 0' },
        options,
      ),
    ];
  });
}
