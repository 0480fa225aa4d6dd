import { expect } from 'vitest';
import type { ReportCheck } from '../../server/features/outbound/offline.ts';
import { checkReport } from '../../server/features/outbound/proof/verify-report.ts';
import type { TestGateway } from './gateway.ts';

type Facts = NonNullable<ReportCheck['facts']>;

/** Returns the facts of a transmission report. Throws when it was altered, or signed with another key than `fingerprint`. */
export function factsOfReport(bytes: Buffer, fingerprint?: string): Facts {
  const { facts, faults } = checkReport(bytes, fingerprint);
  if (facts === null) throw new Error(faults.join(' '));
  return facts;
}

/** Returns the facts of the transmission report of a fax, as they are printed and signed. */
export async function reportFacts(gateway: Pick<TestGateway, 'request'>, id: string): Promise<Facts> {
  const answer = await gateway.request('GET', `/fax/${id}/report`);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  return factsOfReport(Buffer.from(await answer.arrayBuffer()));
}
