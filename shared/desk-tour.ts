/** Steps of the tour in their order. A person who may not open the screen of a step goes without it. */
export const TOUR_STEPS = ['send', 'pages', 'sent', 'inbox', 'work', 'contacts', 'settings', 'help'] as const;
export type TourStep = (typeof TOUR_STEPS)[number];

/** `none`: it was neither offered nor begun. */
export const TOUR_STATES = ['none', 'offered', 'begun', 'ended'] as const;
export type TourState = (typeof TOUR_STATES)[number];
