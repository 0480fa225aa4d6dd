// The search in the local network, for the application, which loads nothing else of the gateway for it.
export { type ServiceRecord, searchServices, servicesIn } from './platform/service-search.ts';
