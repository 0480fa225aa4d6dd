import type { TestGateway } from '../setup/gateway.ts';

/** Recipients of an invented clinic. */
const CONTACTS = [
  { name: 'Mill Creek Imaging', organization: 'Mill Creek Hospital', fax_number: '+15035550173' },
  { name: 'Dr. Anders Lund', organization: 'Cardiology, Riverside', fax_number: '+15035550142' },
  { name: 'Harbor Laboratory', organization: null, fax_number: '+12065550108', send_together_minutes: 15 },
  { name: 'Juniper Pharmacy', organization: 'Juniper Street', fax_number: '+13605550151' },
  { name: 'State Records Office', organization: null, fax_number: '+15415550190', note: 'Closed on Fridays' },
  { name: 'Unwanted offers', organization: null, fax_number: '+19715550138', blocked: true },
];

export async function fillContacts(gateway: TestGateway): Promise<void> {
  for (const contact of CONTACTS) await make(gateway, '/contacts', contact);
}

/** A trunk from a carrier's letter, not used for sending yet. */
export async function fillLine(gateway: TestGateway): Promise<void> {
  await gateway.set({
    TRUNK_PRESET: 'telnyx',
    TRUNK_HOST: 'sip.telnyx.com',
    TRUNK_USER: 'alderstreet',
    TRUNK_PASSWORD: 'an-invented-password',
    TELEPHONY_PASSWORD: 'another-invented-password',
  });
}

/** Adds the price that the provider charges for a page. */
export async function fillPrices(gateway: TestGateway): Promise<void> {
  const prices = { currency: 'USD', per_page: '0.07', prefixes: ['+1'] };
  await make(gateway, '/routing/rate-cards', { backend: 'cloudone', ...prices });
}

async function make(gateway: TestGateway, path: string, json: object): Promise<void> {
  const answer = await gateway.request('POST', path, { json });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
