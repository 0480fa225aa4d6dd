import type { EmulatedFax } from './fax-record.ts';

export interface EmulatedService {
  readonly id: string;
  name: string;
  incomingWebhookUrl: string | null;
  webhookContentType: string;
  numberOfRetries: number;
  saveInboundFaxDocuments: boolean;
  saveOutboundFaxDocuments: boolean;
  readonly defaultForProject: boolean;
}

/** Everything the emulator remembers of a project, in memory. */
export interface ProjectState {
  readonly projectId: string;
  readonly faxes: Map<string, EmulatedFax>;
  readonly services: Map<string, EmulatedService>;
  readonly numbers: readonly string[];
  serial: number;
  now(): number;
}

export function newProjectState(
  projectId: string,
  now: () => number,
  incomingWebhook: string | null,
): ProjectState {
  const numbers = ['+12025550100', '+13125550100'];
  const state: ProjectState = { projectId, faxes: new Map(), services: new Map(), numbers, serial: 0, now };
  addService(state, { name: 'Default service', incomingWebhookUrl: incomingWebhook });
  return state;
}

/** Twenty-six characters, as the vendor's ids have. */
export function nextId(state: ProjectState): string {
  state.serial += 1;
  return `01K0FAX${String(state.serial).padStart(19, '0')}`;
}

/** The first one is the project's default. */
export function addService(state: ProjectState, given: Partial<EmulatedService>): EmulatedService {
  const service: EmulatedService = {
    name: 'Service',
    incomingWebhookUrl: null,
    webhookContentType: 'multipart/form-data',
    numberOfRetries: 3,
    saveInboundFaxDocuments: true,
    saveOutboundFaxDocuments: true,
    ...given,
    id: nextId(state),
    defaultForProject: state.services.size === 0,
  };
  state.services.set(service.id, service);
  return service;
}

export function defaultService(state: ProjectState): EmulatedService {
  const [service] = state.services.values();
  if (service === undefined) throw new Error('The project has no service.');
  return service;
}
