//! What programs may rely on without saying so: that values can be sent to other threads, printed and compared.

use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;
use std::io;

use simdtext::io::{DecodeReader, EncodeWriter};
use simdtext::{
    DecodeError, Decoded, DecodedUtf16, Decoder, EncodeError, Encoded, Encoder, Encoding,
    LabelStatus, Malformed, Progress, Status, UnknownLabel, detect, hooks, offsets, parallel,
    sniff, unicode, web,
};

fn is_sent<T: Debug + Send + Sync + Unpin + 'static>() {}
fn is_data<T: Debug + Clone + Hash + Eq + Send + Sync + Unpin + 'static>() {}
fn is_error<T: Error + Send + Sync + Unpin + 'static>() {}

#[test]
fn streams_and_results_are_sent_to_other_threads() {
    is_sent::<Decoder>();
    is_sent::<Encoder>();
    is_sent::<DecodeReader<io::Empty>>();
    is_sent::<EncodeWriter<io::Sink>>();
    is_sent::<web::TextDecoder>();
    is_sent::<web::TextDecoderStream>();
    is_sent::<web::TextEncoderStream>();
    is_sent::<offsets::OffsetMap>();
    is_sent::<sniff::FirstValid>();
    is_sent::<sniff::Utf8Tally>();
    is_sent::<sniff::DoubleEncoding>();
    is_sent::<sniff::Segments<'static, fn(&[u8]) -> &'static Encoding>>();
    is_sent::<detect::Detector>();
    is_sent::<detect::BinaryScan>();
    is_sent::<detect::Guess>();
    is_sent::<parallel::Pool>();
    is_sent::<parallel::Parallel<'static>>();
}

#[test]
fn results_positions_and_faults_are_data() {
    is_data::<Decoded<'static>>();
    is_data::<DecodedUtf16>();
    is_data::<Encoded<'static>>();
    is_data::<LabelStatus>();
    is_data::<Malformed>();
    is_data::<Progress>();
    is_data::<Status>();
    is_data::<DecodeError>();
    is_data::<EncodeError>();
    is_data::<UnknownLabel>();
    is_data::<unicode::Conversion>();
    is_data::<unicode::Invalid>();
    is_data::<unicode::Stop>();
    is_data::<hooks::IsomorphicError>();
    is_data::<offsets::OffsetMapError>();
    is_data::<web::WebError>();
    is_data::<parallel::Fault>();
    is_data::<parallel::StreamOptions>();
    is_data::<parallel::Summary>();
    is_data::<sniff::Decision>();
    is_data::<sniff::Declaration>();
    is_data::<sniff::Evidence>();
    is_data::<sniff::Hints<'static>>();
    is_data::<sniff::MimeType<'static>>();
    is_data::<sniff::ParameterValue<'static>>();
    is_data::<sniff::Segment>();
    is_data::<sniff::SegmentReason>();
    is_data::<sniff::Tried>();
    is_data::<&'static Encoding>();
}

#[test]
fn errors_can_be_boxed_and_returned_from_main() {
    is_error::<DecodeError>();
    is_error::<EncodeError>();
    is_error::<UnknownLabel>();
    is_error::<unicode::Invalid>();
    is_error::<hooks::IsomorphicError>();
    is_error::<offsets::OffsetMapError>();
    is_error::<web::WebError>();
    is_error::<parallel::StreamError>();
}
