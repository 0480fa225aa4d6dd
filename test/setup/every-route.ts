import { PROVIDERS, providerRoutes } from '../../server/composition/providers.ts';
import { allRoutes as contractRoutes } from '../../shared/api/all.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';

/** Every route that a gateway serves: those of the contract, and those at which its providers report. */
export const allRoutes: readonly RouteDefinition[] = [...contractRoutes, ...providerRoutes(PROVIDERS)];
