import { RefusalError } from '../../platform/errors.ts';

class RoutingRefusalError extends RefusalError {
  override name = 'RoutingRefusalError';
}

export const noSuchRoute = () => new RoutingRefusalError('no_such_delivery_route');
export const unknownRoute = () => new RoutingRefusalError('unknown_delivery_route');
export const routeRefused = (sentence: string) =>
  new RoutingRefusalError('delivery_route_refused', { sentence });
export const noSuchCard = () => new RoutingRefusalError('no_such_rate_card');
export const unknownBackend = () => new RoutingRefusalError('unknown_backend');
export const noSuchPerson = () => new RoutingRefusalError('no_such_person');
export const noSpendingCurrency = () => new RoutingRefusalError('no_spending_currency');
export const emptyCard = () => new RoutingRefusalError('rate_card_empty');
export const prefixTaken = () => new RoutingRefusalError('rate_prefix_taken');
export const badNumber = () => new RoutingRefusalError('invalid_fax_number');
export const wrongSpan = () => new RoutingRefusalError('wrong_span');
export const stale = () => new RoutingRefusalError('stale');
