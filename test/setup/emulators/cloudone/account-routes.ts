import type { Answer } from '../answer.ts';
import { type ReceivedRequest, valueOf } from '../request-reading.ts';
import { type AccountState, addNumber } from './account-state.ts';
import { pagedList, refusal, success } from './answer.ts';

/** Routes that need no credentials, or null when there is none. */
export function answerPublic(request: ReceivedRequest): Answer | null {
  if (request.method !== 'GET') return null;
  if (request.path === '/public/countries')
    return pagedList('Data contains countries info', countries, request.query);
  if (request.path !== '/public/area_codes') return null;
  const code = request.query.get('country_code');
  const found = areaCodes.filter(
    (entry) => code === null || code === '' || String(entry.country_code) === code,
  );
  return pagedList('Data contains found available area codes', found, request.query);
}

/** Account and number routes, or null when there is none. */
export function answerAccount(state: AccountState, request: ReceivedRequest): Answer | null {
  if (request.path === '/account/status') return request.method === 'GET' ? accountStatus(state) : null;
  if (request.path === '/phone_numbers') {
    if (request.method === 'GET') return listNumbers(state, request.query);
    return request.method === 'POST' ? provision(state, request) : null;
  }
  const wanted = /^\/phone_numbers\/\+?(\d+)$/u.exec(request.path)?.[1];
  if (wanted === undefined) return null;
  const number = state.numbers.get(`+${wanted}`);
  if (number === undefined) return refusal(404, 'Phone number not found.');
  if (request.method === 'GET') return success('Retrieved user phone numbers successfully', { data: number });
  if (request.method !== 'DELETE') return null;
  state.numbers.delete(number.phone_number);
  return success('Number released successfully!');
}

function accountStatus(state: AccountState): Answer {
  const today = new Date(state.now()).toISOString().slice(0, 10);
  const data = {
    balance: state.balance,
    faxes_today: countSince(state, Date.parse(today)),
    faxes_this_month: countSince(state, Date.parse(`${today.slice(0, 7)}-01`)),
  };
  return success('Account status retrieved successfully', { data });
}

function countSince(state: AccountState, since: number) {
  const recent = [...state.faxes.values()].filter((fax) => fax.createdAt >= since);
  const sent = recent.filter((fax) => fax.direction === 'sent').length;
  return { sent, received: recent.length - sent };
}

function listNumbers(state: AccountState, query: URLSearchParams): Answer {
  const start = `+${query.get('country_code') || (query.get('area_code') ? '1' : '')}${query.get('area_code') ?? ''}`;
  const found = [...state.numbers.values()].filter((number) => number.phone_number.startsWith(start));
  return pagedList('Retrieved user phone numbers successfully', found, query);
}

function provision(state: AccountState, request: ReceivedRequest): Answer {
  const country = valueOf(request, 'country_code');
  const area = valueOf(request, 'area_code');
  if (country === null || area === null) return refusal(422, 'country_code and area_code are required.');
  const serial = String(5_550_200 + state.numbers.size);
  const number = addNumber(state, `+${country}${area}${serial}`, valueOf(request, 'callback_url'));
  return success('Number provisioned successfully!', { data: number });
}

const countries = [
  country('United States', 'US', 1, 7),
  country('Canada', 'CA', 1, 7),
  country('United Kingdom', 'GB', 44, 10),
];

const areaCodes = [areaCode(202, 'Washington', 'District of Columbia'), areaCode(312, 'Chicago', 'Illinois')];

function areaCode(code: number, city: string, state: string) {
  return { country_code: 1, area_code: code, city, state, country: 'United States', toll_free: false };
}

function country(name: string, alpha2: string, code: number, pricePerPage: number) {
  const support = { send_support: 'full', receive_support: 'full' };
  return { name, alpha2, country_code: code, price_per_page: pricePerPage, ...support };
}
