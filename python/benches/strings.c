// Three ways to make a `str` of text that was decoded: into the room that PyUnicode_New gives, which takes no more
// time than is measured here; from units in a buffer; and from UTF-8 in a buffer, which is all that Python's limited
// API has. bench.py compiles and calls this.

#include <Python.h>
#include <time.h>

enum way { NEW, FROM_KIND_AND_DATA, DECODE_UTF8 };

static PyObject *make(enum way way, int kind, const void *units, Py_ssize_t count, Py_UCS4 widest, const char *utf8,
                      Py_ssize_t bytes) {
    switch (way) {
    case NEW:
        return PyUnicode_New(count, widest);
    case FROM_KIND_AND_DATA:
        return PyUnicode_FromKindAndData(kind, units, count);
    default:
        return PyUnicode_DecodeUTF8(utf8, bytes, NULL);
    }
}

// Nanoseconds for one `str`, made and let go, as the mean over `turns`; negative if there is none.
double nanoseconds(int way, PyObject *text, int turns) {
    Py_ssize_t bytes;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &bytes);
    if (utf8 == NULL) {
        return -1;
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int turn = 0; turn < turns; turn++) {
        PyObject *made = make(way, PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text),
                              PyUnicode_MAX_CHAR_VALUE(text), utf8, bytes);
        if (made == NULL) {
            return -1;
        }
        Py_DECREF(made);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / turns;
}
