/** Tells of a picture that failed before React took it over: its event is long past then. */
export function ifTorn(fail: () => void) {
  return (picture: HTMLImageElement | null): void => {
    if (picture?.complete === true && picture.naturalWidth === 0) fail()
  }
}
