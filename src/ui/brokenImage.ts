/** Detects an image that failed before hydration: React has missed its error event. */
export function ifBroken(fail: () => void) {
  return (picture: HTMLImageElement | null): void => {
    if (picture?.complete === true && picture.naturalWidth === 0) fail()
  }
}
