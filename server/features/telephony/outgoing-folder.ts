/** Below the data folder: where the engine reads the pages of the faxes that it sends. */
export const OUTGOING_FOLDER = 'telephony/outgoing';
