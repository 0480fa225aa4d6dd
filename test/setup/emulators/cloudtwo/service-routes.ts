import { type Answer, json } from '../answer.ts';
import type { ReceivedRequest } from '../request-reading.ts';
import { noContent, pagedList, refusal, violation } from './answer.ts';
import { addService, type EmulatedService, type ProjectState } from './project-state.ts';

/** Routes below /services, or null when there is none. */
export function answerServices(state: ProjectState, request: ReceivedRequest): Answer | null {
  if (request.path === '/services') {
    if (request.method === 'GET')
      return pagedList(
        'services',
        [...state.services.values()].map((it) => serviceObject(state, it)),
        request.query,
      );
    return request.method === 'POST' ? create(state, request) : null;
  }
  const [, id = '', rest = ''] = /^\/services\/([\w-]+)(\/numbers)?$/u.exec(request.path) ?? [];
  const service = state.services.get(id);
  if (id === '') return null;
  if (service === undefined) return refusal(404, `Service ${id} was not found`);
  switch (`${request.method} ${rest}`) {
    case 'GET ':
      return json(200, serviceObject(state, service));
    case 'PATCH ':
      Object.assign(service, changesOf(request));
      return json(200, serviceObject(state, service));
    case 'DELETE ':
      state.services.delete(id);
      return noContent();
    case 'GET /numbers':
      return pagedList('numbers', numbersOf(state, service), request.query);
    default:
      return null;
  }
}

function create(state: ProjectState, request: ReceivedRequest): Answer {
  const given = changesOf(request);
  if ((given.name ?? '').length > 60) return violation('name', 'must be at most 60 characters');
  return json(200, serviceObject(state, addService(state, given)));
}

function changesOf(request: ReceivedRequest): Partial<EmulatedService> {
  const { id: _id, ...changes } = (request.json ?? {}) as Partial<EmulatedService>;
  return changes;
}

function serviceObject(state: ProjectState, service: EmulatedService): Record<string, unknown> {
  const known = Object.entries({ ...service, projectId: state.projectId });
  return Object.fromEntries(known.filter(([, value]) => value !== null));
}

function numbersOf(state: ProjectState, service: EmulatedService) {
  if (!service.defaultForProject) return [];
  const { projectId } = state;
  return state.numbers.map((phoneNumber) => ({
    phoneNumber,
    projectId,
    serviceId: service.id,
    permissions: 'both',
  }));
}
