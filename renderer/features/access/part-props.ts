/** Props of a part: the item that is open beside its list. */
export interface PartProps {
  readonly id: string | undefined;
}
