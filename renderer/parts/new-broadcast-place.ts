/** Place of the screen *Broadcasts* with the form of a new one. */
export const NEW_BROADCAST = {
  to: '/sent/broadcasts/{-$broadcastId}',
  params: { broadcastId: 'new' },
} as const;
