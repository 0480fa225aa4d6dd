/**
 * Source or transport of faxes: a cloud provider by the name of its folder, or one of those below. Only the gateway's
 * registry has the list of providers, so that a further one needs no change here.
 */
export type Backend = string;

/** The telephone line of the installation itself. */
export const LINE_BACKEND = 'sip';

/** Source of test faxes, which the gateway makes itself. */
export const TEST_BACKEND = 'test';

/** Source of documents that another system received and handed over. */
export const IMPORT_BACKEND = 'import';

/** Transport and source of faxes to a number of the installation itself, which need no call. */
export const INTERNAL_BACKEND = 'internal';

/** Source of faxes that a partner delivered directly. Their work items need no owner. */
export const DIRECT_BACKEND = 'direct';
