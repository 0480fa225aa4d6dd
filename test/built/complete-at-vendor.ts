import { expect } from 'vitest';
import type { Vendor } from '../endure/world/vendor.ts';
import { type Body, type Office, waitFor } from './office.ts';

/** The provider gets the fax with its document, and says that it arrived. */
export async function completeAtVendor(office: Office, vendor: Vendor, id: string): Promise<Body> {
  const { provider_sid, document } = await waitFor(async () => {
    const fax = await office.requestJson('GET', `/fax/${id}`);
    if (fax.provider_sid === null) throw new Error(JSON.stringify(fax));
    return fax;
  });
  expect(await vendor.fetchDocument(provider_sid, office.url)).toBe(true);
  vendor.complete(provider_sid, true, document.pages);
  await waitFor(async () => expect(await vendor.report(provider_sid, office.url, {})).toBe(200));
  const fax = await office.waitForDelivered(id);
  expect(vendor.sent().find((sent) => sent.id === provider_sid)?.sha256).toBe(fax.document.sha256);
  return fax;
}
