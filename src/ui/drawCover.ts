export function drawCover(
  context: OffscreenCanvasRenderingContext2D,
  picture: ImageBitmap,
  width: number,
  height: number,
) {
  const scale = Math.max(width / picture.width, height / picture.height)
  const [wide, high] = [width / scale, height / scale]
  const [left, top] = [(picture.width - wide) / 2, (picture.height - high) / 2]
  context.drawImage(picture, left, top, wide, high, 0, 0, width, height)
}
