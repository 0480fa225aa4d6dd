import { RefusalError } from '../../platform/errors.ts';

class IntakeRefusalError extends RefusalError {
  override name = 'IntakeRefusalError';
}

export const noSuchConnector = () => new IntakeRefusalError('no_such_connector');
export const connectorRefused = (sentence: string) =>
  new IntakeRefusalError('connector_refused', { sentence });
export const badNumber = () => new IntakeRefusalError('invalid_fax_number');
export const stale = () => new IntakeRefusalError('stale');
export const noSuchDelivery = () => new IntakeRefusalError('no_such_delivery');
export const notRetried = (sentence: string) => new IntakeRefusalError('delivery_not_retried', { sentence });
export const deliveryCertain = () => new IntakeRefusalError('delivery_certain');
