import { z } from 'zod';
import { type Answer, json } from '../answer.ts';
import type { ReceivedRequest } from '../request-reading.ts';
import { violation } from './answer.ts';
import { type EmulatedFax, faxObject } from './fax-record.ts';
import { defaultService, nextId, type ProjectState } from './project-state.ts';

/** Content of a request to send, from any content type. */
interface SendRequest {
  readonly to: readonly string[];
  readonly documents: readonly Buffer[];
  readonly contentUrls: readonly string[];
  /** The other fields as text. */
  readonly text: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>> | null;
}

/** POST /faxes: one fax for each number. */
export function postFax(state: ProjectState, request: ReceivedRequest): Answer {
  const sendRequest = request.json === null ? parseFormRequest(request) : parseJsonRequest(request.json);
  const problem = findProblem(sendRequest);
  if (problem !== null) return problem;
  const service = state.services.get(sendRequest.text.get('serviceId') ?? '') ?? defaultService(state);
  const retries = sendRequest.text.get('maxRetries');
  const faxes = sendRequest.to.map((to) =>
    storeFax(state, {
      to,
      from: sendRequest.text.get('from') ?? null,
      document: sendRequest.documents[0] ?? null,
      contentUrls: sendRequest.contentUrls,
      headerText: sendRequest.text.get('headerText') ?? '-',
      maxRetries: retries === undefined ? service.numberOfRetries : Number(retries),
      callbackUrl: sendRequest.text.get('callbackUrl') ?? null,
      callbackUrlContentType: sendRequest.text.get('callbackUrlContentType') ?? 'multipart/form-data',
      labels: sendRequest.labels,
      serviceId: service.id,
    }),
  );
  const shown = faxes.map((fax) => faxObject(fax, state.projectId));
  return json(200, shown.length === 1 ? shown[0] : { faxes: shown });
}

function parseFormRequest(request: ReceivedRequest): SendRequest {
  const all = (name: string) => request.fields.filter(([field]) => field === name).map(([, value]) => value);
  return {
    to: all('to').flatMap((to) => to.split(';')),
    documents: request.files.filter(({ name }) => name === 'file').map(({ bytes }) => bytes),
    contentUrls: all('contentUrl'),
    text: new Map(request.fields),
    labels: null,
  };
}

function parseJsonRequest(body: unknown): SendRequest {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  const given = Object.fromEntries(fields);
  const files = (given['files'] ?? []) as ReadonlyArray<{ file: string }>;
  const texts = fields.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return {
    to: listOf(given['to']).flatMap((to) => to.split(';')),
    documents: files.map(({ file }) => Buffer.from(file, 'base64')),
    contentUrls: listOf(given['contentUrl']),
    text: new Map(texts.map(([name, value]) => [name, String(value)])),
    labels: (given['labels'] ?? null) as SendRequest['labels'],
  };
}

function listOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((entry: unknown) => z.string().parse(entry));
}

function findProblem(sendRequest: SendRequest): Answer | null {
  if (sendRequest.to.length === 0) return violation('to', 'must not be empty');
  if (!sendRequest.to.every((to) => /^\+[1-9]\d{6,14}$/u.test(to)))
    return violation('to', 'must be a phone number in E.164 format');
  if (sendRequest.documents.length + sendRequest.contentUrls.length === 0)
    return violation('contentUrl', 'a file or a contentUrl is required');
  if ((sendRequest.text.get('headerText') ?? '').length > 50)
    return violation('headerText', 'must be at most 50 characters');
  if (Number(sendRequest.text.get('maxRetries') ?? 0) > 5)
    return violation('maxRetries', 'must be at most 5');
  return null;
}

export interface ReceivedFax {
  readonly from: string | null;
  readonly to: string | null;
  /** Null: not there yet; it can be put into the fax later. */
  readonly document: Buffer | null;
  readonly pages?: number;
  /** Default `COMPLETED`; anything but that and `FAILURE` is not complete. */
  readonly status?: string;
}

/** Stores a fax as received; finished and successful by default. */
export function receiveFax(state: ProjectState, received: ReceivedFax): EmulatedFax {
  const { pages = 1, status = 'COMPLETED' } = received;
  const done = status === 'COMPLETED' || status === 'FAILURE';
  return storeFax(state, {
    direction: 'INBOUND',
    from: received.from,
    to: received.to,
    document: received.document,
    pages,
    status,
    completedAt: done ? state.now() : null,
    price: done ? (0.07 * pages).toFixed(2) : null,
  });
}

/** Gives the next id; what is not given is as just after queuing. */
function storeFax(state: ProjectState, given: Partial<EmulatedFax>): EmulatedFax {
  const fax: EmulatedFax = {
    direction: 'OUTBOUND',
    from: null,
    to: null,
    status: 'QUEUED',
    completedAt: null,
    pages: 0,
    pagesSent: null,
    price: null,
    errorType: null,
    errorCode: null,
    errorMessage: null,
    document: null,
    contentUrls: [],
    headerText: null,
    maxRetries: 3,
    callbackUrl: null,
    callbackUrlContentType: 'multipart/form-data',
    labels: null,
    serviceId: defaultService(state).id,
    ...given,
    id: nextId(state),
    createdAt: state.now(),
  };
  state.faxes.set(fax.id, fax);
  return fax;
}
