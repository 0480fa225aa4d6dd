import { PROVIDERS } from '../../server/composition/providers.ts';

/** Names of all providers that the product has, in order. */
export const BACKEND_NAMES: readonly string[] = PROVIDERS.map(({ backend }) => backend);
