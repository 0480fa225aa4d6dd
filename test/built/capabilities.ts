import { test } from 'vitest';
import type { Skippable } from '../setup/tools.ts';
import { ADMINISTRATION } from './administration.ts';
import type { Capability } from './capability.ts';
import { MANY_DOCUMENTS } from './many-documents.ts';
import type { Office } from './office.ts';
import { PRINTING } from './printing.ts';
import { RECEIVING } from './receiving.ts';
import { SENDING } from './sending.ts';

/** Everything that people do with a gateway, whatever starts it. */
const CAPABILITIES: readonly Capability[] = [
  ...SENDING,
  ...MANY_DOCUMENTS,
  ...PRINTING,
  ...RECEIVING,
  ...ADMINISTRATION,
];

/** A test for each of them, side by side: most of them wait for the gateway to look. `office` skips what cannot be tried. */
export function tryCapabilities(office: (context: Skippable) => Office): void {
  for (const { name, run } of CAPABILITIES)
    test.concurrent(name, async (context) => {
      await run(office(context), context);
    });
}
