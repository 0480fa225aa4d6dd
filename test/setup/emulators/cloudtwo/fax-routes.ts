import { type Answer, json, pdf } from '../answer.ts';
import type { ReceivedRequest } from '../request-reading.ts';
import { noContent, pagedList, refusal } from './answer.ts';
import { type EmulatedFax, faxObject } from './fax-record.ts';
import type { ProjectState } from './project-state.ts';
import { postFax } from './sending.ts';

/** Routes below /faxes, or null when there is none. */
export function answerFaxes(state: ProjectState, request: ReceivedRequest): Answer | null {
  if (request.path === '/faxes') {
    if (request.method === 'POST') return postFax(state, request);
    return request.method === 'GET' ? listFaxes(state, request.query) : null;
  }
  const [, id = '', file = ''] = /^\/faxes\/([\w-]+)(?:\/(file(?:\.pdf)?))?$/u.exec(request.path) ?? [];
  if (id === '') return null;
  const fax = state.faxes.get(id);
  if (fax === undefined) return refusal(404, `Fax ${id} was not found`);
  if (file === '') return request.method === 'GET' ? json(200, faxObject(fax, state.projectId)) : null;
  if (request.method === 'DELETE' && file === 'file') {
    fax.document = null;
    return noContent();
  }
  if (request.method !== 'GET') return null;
  return fax.document === null ? refusal(404, 'The fax has no file') : pdf(fax.document, `fax-${fax.id}.pdf`);
}

function listFaxes(state: ProjectState, query: URLSearchParams): Answer {
  const wanted = (fax: EmulatedFax) =>
    isIn(timesOf(query, state.now()), fax.createdAt) &&
    [null, '', fax.direction].includes(query.get('direction')) &&
    [null, '', fax.status].includes(query.get('status')) &&
    [null, '', fax.serviceId].includes(query.get('serviceId')) &&
    (fax.to ?? '').startsWith(numberOf(query, 'to')) &&
    (fax.from ?? '').startsWith(numberOf(query, 'from'));
  const newestFirst = [...state.faxes.values()].filter(wanted).reverse();
  return pagedList(
    'faxes',
    newestFirst.map((fax) => faxObject(fax, state.projectId)),
    query,
  );
}

/** The vendor's client does not escape the plus, which then arrives as a space. */
function numberOf(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? '').replace(/^ /u, '+');
}

interface Times {
  readonly from: number;
  readonly to: number;
  /** A year, month, day or moment that the time must begin with. */
  readonly start: string;
}

/** `createTime>=` and `createTime<=` arrive as parameters whose names end in the sign. The prior week by default. */
function timesOf(query: URLSearchParams, now: number): Times {
  const text = (name: string) => query.get(name)?.replaceAll('"', '') ?? '';
  const [start, from, to] = [text('createTime'), text('createTime>'), text('createTime<')];
  const none = start === '' && from === '' && to === '';
  return {
    start,
    from: none ? now - 7 * 86_400_000 : from === '' ? 0 : Date.parse(from),
    to: to === '' ? Number.POSITIVE_INFINITY : Date.parse(to),
  };
}

function isIn(times: Times, createdAt: number): boolean {
  if (!new Date(createdAt).toISOString().startsWith(times.start)) return false;
  return createdAt >= times.from && createdAt <= times.to;
}
