/** Other gateways on the database keep this one from starting. The message is a sentence for a person. */
export class OtherGatewaysError extends Error {
  override name = 'OtherGatewaysError';
}

/** The store of a gateway is not complete, or the installation has left it. The message is a sentence for a person. */
export class StoreMovedError extends Error {
  override name = 'StoreMovedError';
}
