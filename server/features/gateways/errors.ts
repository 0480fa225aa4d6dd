/** Other gateways on the database keep this one from starting. The message is a sentence for a person. */
export class OtherGatewaysError extends Error {
  override name = 'OtherGatewaysError';
}
