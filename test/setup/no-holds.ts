import type { LegalHolds } from '../../server/features/holds/service.ts';

/** An installation without legal holds. */
export const NO_HOLDS: LegalHolds = {
  open: async () => [],
  shown: async () => [],
  lock: async () => undefined,
  keepMoved: async () => undefined,
};
