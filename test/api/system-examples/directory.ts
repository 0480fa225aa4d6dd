import type { Examples } from './examples.ts';

/** Contacts, rate cards, routes and spending limits. */
export async function callDirectory(x: Examples): Promise<void> {
  const contact = await x.call('createContact', { json: { name: 'City Lab', fax_number: '+12025550123' } });
  const params = { id: contact.id };
  await x.call('listContacts', { query: { q: 'lab' } });
  await x.call('completeContacts', { query: { q: 'lab' } });
  await x.call('listContactTags');
  await x.call('listDirectoryEntries', { query: { q: 'pharmacy' } });
  await callHolds(x);
  await x.call('addOptOut', { json: { fax_number: '+12025550166', note: 'By phone' } });
  await x.call('listOptOuts', { query: { q: '0166' } });
  await x.call('importOptOuts', {
    form: { file: new File(['+12025550167\n'], 'opt-outs.txt', { type: 'text/plain' }) },
  });
  await x.call('removeOptOut', { params: { number: '+12025550167' } });
  await x.call('getContact', { params });
  await x.call('getContactHistory', { params });
  const changed = await x.call('changeContact', {
    params,
    json: { note: 'Results', version: contact.version },
  });
  await x.call('forgetLineMemory', { params });
  await x.call('exportContacts');
  const file = new File(['name,fax_number\nPharmacy,+12025550124\n'], 'contacts.csv', { type: 'text/csv' });
  await x.call('importContacts', { form: { existing: 'keep', file } });
  const other = await x.call('createContact', {
    json: { name: 'City Laboratory', fax_number: '+12025550125', tags: ['Laboratory'] },
  });
  const merged = await x.call('mergeContacts', {
    params,
    json: { version: changed.version, other_id: other.id, other_version: other.version },
  });
  await x.call('removeContact', { params, json: { version: merged.version } });
  await callRates(x);
  await callRoutes(x);
}

async function callRates(x: Examples): Promise<void> {
  const prices = { currency: 'USD', per_page: '0.07' };
  const card = await x.call('createRateCard', { json: { backend: 'cloudone', ...prices } });
  const params = { id: card.id };
  await x.call('listRateCards');
  await x.call('getRateCard', { params });
  const changed = await x.call('changeRateCard', {
    params,
    json: { ...prices, per_page: '0.08', version: card.version },
  });
  await x.call('getQuote', { query: { to: '+12025550123', pages: '3' } });
  await x.call('getCosts', { query: { group_by: 'day' } });
  await x.call('exportCosts');
  await x.call('listDearNumbers');
  await x.call('listPlans');
  await x.call('removeRateCard', { params, json: { version: changed.version } });
}

async function callRoutes(x: Examples): Promise<void> {
  const route = await x.call('createDeliveryRoute', {
    json: { name: 'West coast', backend: 'cloudone', prefixes: ['+1415'] },
  });
  const params = { id: route.id };
  await x.call('listDeliveryRoutes');
  await x.call('getDeliveryRoute', { params });
  const changed = await x.call('changeDeliveryRoute', {
    params,
    json: { enabled: false, version: route.version },
  });
  await x.call('removeDeliveryRoute', { params, json: { version: changed.version } });
  await x.call('listDestinations');
  await x.call('getDestination', { params: { number: '+12025550123' } });
  await x.call('getSpendingLimits');
  await x.call('listPersonLimits');
}

/** A legal hold on a number, and its release. */
async function callHolds(x: Examples): Promise<void> {
  const hold = await x.call('createLegalHold', {
    json: {
      name: 'Smith v. Harbor Clinic',
      reason: 'Letter of the court of 1 March',
      number: '+12025550123',
    },
  });
  await x.call('listLegalHolds');
  await x.call('getLegalHold', { params: { id: hold.id } });
  await x.call('releaseLegalHold', { params: { id: hold.id }, json: { version: 1, note: 'Settled' } });
}
