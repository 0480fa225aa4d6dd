/** Place of the people of *Access* with the form of a new one. */
export const NEW_PERSON = {
  to: '/access/{-$part}/{-$id}',
  params: { part: 'people', id: 'new' },
} as const;
