for (const time of document.querySelectorAll("time[data-ms]")) {
  const began = new Date(Number(time.dataset.ms));
  time.dateTime = began.toISOString();
  time.textContent = began.toLocaleString();
}
